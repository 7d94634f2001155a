// Puts something of the top layer beside what it belongs to: below when there
// is room, else above, and always inside of the window.
const GAP = 6;
const EDGE = 12;

export function place(element: HTMLElement, beside: DOMRect) {
  const { width, height } = element.getBoundingClientRect();
  const rtl = document.documentElement.dir === 'rtl';
  const below = beside.bottom + GAP;
  const top = below + height <= innerHeight - EDGE || beside.top < height + GAP + EDGE
    ? Math.min(below, innerHeight - height - EDGE) : beside.top - height - GAP;
  const left = rtl ? beside.right - width : beside.left;
  element.style.top = `${Math.max(EDGE, top)}px`;
  element.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
}
