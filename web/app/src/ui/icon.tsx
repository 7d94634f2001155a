// Icons of one line weight, drawn for this app.
const paths = {
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM20 20l-4-4',
  close: 'M6 6l12 12M18 6 6 18',
  menu: 'M4 7h16M4 12h16M4 17h10',
  dots: 'M6 12h.01M12 12h.01M18 12h.01',
  down: 'M6 9l6 6 6-6',
  back: 'M15 6l-6 6 6 6',
  forth: 'M9 6l6 6-6 6',
  up: 'M12 19V5M6 11l6-6 6 6',
  above: 'M6 15l6-6 6 6',
  minus: 'M5 12h14',
  expand: 'M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7',
  stop: 'M8 8h8v8H8z',
  clip: 'M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.5 8.5a1.7 1.7 0 0 1-2.5-2.5L15 7',
  books: 'M5 4h4v16H5zM9 4h4v16H9zM14 5l4-1 4 15-4 1z',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  out: 'M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  pane: 'M4 5h16v14H4zM14 5v14',
  check: 'M5 13l4 4L19 7',
  warn: 'M12 4 2.5 20h19zM12 10v4M12 17h.01',
  retry: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  slides: 'M4 5h16v11H4zM9 20h6M12 16v4',
  video: 'M4 6h11v12H4zM15 10l5-3v10l-5-3z',
  journal: 'M6 4h12v16H6zM6 4v16M10 9h5M10 13h5',
  web: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01',
  text: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  play: 'M8 5l11 7-11 7z',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  filter: 'M4 6h16M7 12h10M10 18h4',
  good: 'M7 10v10H4V10zM7 10l4-7c1.5 0 2.5 1 2.2 2.6L12.5 9H18a2 2 0 0 1 2 2.4l-1.4 7A2 2 0 0 1 16.6 20H7',
  bad: 'M7 14V4H4v10zM7 14l4 7c1.5 0 2.5-1 2.2-2.6L12.5 15H18a2 2 0 0 0 2-2.4l-1.4-7A2 2 0 0 0 16.6 4H7',
  spark: 'M12 3l2 6 6 2-6 2-2 6-2-6-6-2 6-2z',
} as const;

export type IconName = keyof typeof paths;
const mirrored: ReadonlySet<IconName> = new Set(['back', 'forth', 'pane', 'menu']);

export function Icon({ name }: { name: IconName }) {
  return (
    <svg className={mirrored.has(name) ? 'icon mirrored' : 'icon'} viewBox="0 0 24 24"
      fill={name === 'stop' || name === 'play' ? 'currentColor' : 'none'}
      stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round"
      aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

export function Logo() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="6" fill="var(--ink)" />
      <path d="M6 7.5h9M6 11h12" stroke="var(--bg)" strokeWidth="1.8" strokeLinecap="round" />
      <rect x="6" y="14" width="12" height="4" rx="1" fill="#ffe45c" />
    </svg>
  );
}
