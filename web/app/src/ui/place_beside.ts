// Places a popover beside its anchor: below when there is room, else above, and
// always inside of the window.
const GAP = 6;
const EDGE = 12;

export function placeBeside(element: HTMLElement, anchor: DOMRect) {
  const { width, height } = element.getBoundingClientRect();
  const rtl = document.documentElement.dir === 'rtl';
  const below = anchor.bottom + GAP;
  const top = below + height <= innerHeight - EDGE || anchor.top < height + GAP + EDGE
    ? Math.min(below, innerHeight - height - EDGE) : anchor.top - height - GAP;
  const left = rtl ? anchor.right - width : anchor.left;
  element.style.top = `${Math.max(EDGE, top)}px`;
  element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
}
