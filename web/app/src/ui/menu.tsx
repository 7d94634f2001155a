// A button with a menu that hangs in the top layer.  Arrow keys walk it, Escape
// and a click elsewhere close it, and the focus goes back to the button.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { place } from './place.ts';

interface Props {
  className?: string;
  label?: string;
  face: ReactNode;
  /** Asked when it opens, with the way to close it. */
  children: (close: () => void) => ReactNode;
  onOpen?: () => void;
}

const items = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];

function walk(e: KeyboardEvent<HTMLElement>) {
  const list = items(e.currentTarget);
  const at = list.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  list[(to + list.length) % list.length]?.focus();
}

export function Menu({ className = 'button', label, face, children, onOpen }: Props) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const close = () => {
    if (menu.current?.matches(':popover-open')) menu.current.hidePopover();
    button.current?.focus();
  };

  useEffect(() => {
    const el = menu.current;
    if (!el) return;
    const toggled = (e: Event) => setOpen((e as ToggleEvent).newState === 'open');
    el.addEventListener('toggle', toggled);
    return () => el.removeEventListener('toggle', toggled);
  }, []);
  useEffect(() => {
    const el = menu.current;
    if (!open || !el) return;
    // Its content may still come: it is put in place whenever it grows.
    const grown = new ResizeObserver(() => button.current && place(el, button.current.getBoundingClientRect()));
    grown.observe(el);
    items(el)[0]?.focus();
    return () => grown.disconnect();
  }, [open]);

  return (
    <>
      <button ref={button} type="button" className={className} aria-label={label} title={label}
        aria-haspopup="menu" aria-expanded={open} popoverTarget={id} onClick={onOpen}>
        {face}
      </button>
      <div ref={menu} id={id} popover="auto" role="menu" className="menu" aria-label={label}
        onKeyDown={walk}>
        {open && children(close)}
      </div>
    </>
  );
}

interface ItemProps {
  children: ReactNode;
  onSelect?: () => void;
  href?: string;
  checked?: boolean;
  danger?: boolean;
}
export function MenuItem({ children, onSelect, href, checked, danger }: ItemProps) {
  const shared = {
    className: danger ? 'menu-item danger' : 'menu-item',
    role: checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': checked,
    tabIndex: -1,
    onClick: onSelect,
  };
  if (href !== undefined)
    return <a {...shared} href={href}>{children}</a>;
  return <button type="button" {...shared}>{children}</button>;
}

export const MenuTitle = ({ children }: { children: ReactNode }) =>
  <div className="menu-title" role="presentation">{children}</div>;
export const MenuLine = () => <hr className="menu-line" role="separator" />;
