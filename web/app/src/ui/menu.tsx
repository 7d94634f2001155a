// A button with a popover menu.  Arrow keys move in it; Escape and a click
// elsewhere close it, and the focus returns to the button.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { placeBeside } from './place_beside.ts';

interface Props {
  className?: string;
  label?: string;
  tabIndex?: number;
  /** What the button shows. */
  trigger: ReactNode;
  /** Makes the items when the menu opens; `close` closes it. */
  children: (close: () => void) => ReactNode;
  onOpen?: () => void;
  /** It holds fields instead of items. */
  form?: boolean;
}

const menuItems = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')];

function moveFocus(e: KeyboardEvent<HTMLElement>) {
  const list = menuItems(e.currentTarget);
  const at = list.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: list.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  list[(to + list.length) % list.length]?.focus();
}

export function Menu({ className = 'button', label, tabIndex, trigger, children, onOpen, form = false }: Props) {
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
    // Items may arrive later: the menu is placed again when its size changes.
    const resized = new ResizeObserver(() => button.current && placeBeside(el, button.current.getBoundingClientRect()));
    resized.observe(el);
    (menuItems(el)[0] ?? el.querySelector<HTMLElement>('input'))?.focus();
    return () => resized.disconnect();
  }, [open]);

  return (
    <>
      <button ref={button} type="button" className={className} tabIndex={tabIndex} aria-label={label} title={label}
        aria-haspopup={form ? 'dialog' : 'menu'} aria-expanded={open} popoverTarget={id} onClick={onOpen}>
        {trigger}
      </button>
      <div ref={menu} id={id} popover="auto" role={form ? 'dialog' : 'menu'} className="menu" aria-label={label}
        onKeyDown={form ? undefined : moveFocus}>
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
  /** Others may be checked beside it. */
  several?: boolean;
  danger?: boolean;
}
export function MenuItem({ children, onSelect, href, checked, several, danger }: ItemProps) {
  const shared = {
    className: danger ? 'menu-item danger' : 'menu-item',
    role: checked === undefined ? 'menuitem' : several ? 'menuitemcheckbox' : 'menuitemradio',
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
