// labels.js - names and places of sources, in the reader's language.

const en = {
  reference: 'Reference', references: 'References',
  notCited: 'Read but not cited', page: 'page', slide: 'slide',
  open: 'Open', download: 'Download document',
  untitled: 'Untitled', noPassage: 'The passage is not available.',
  noSource: 'No source has this number',
  kinds: {
    slide: 'Slides', lecture: 'Recording', journal: 'Journal', web: 'Web page',
    image: 'Page picture', text: 'Text',
  },
  states: {
    live: '',
    changed: 'The document has changed since. You see the cited version.',
    deleted: 'The document was deleted. The cited passage is kept.',
    redacted: 'The passage was removed.',
    withdrawn: 'You can no longer open this document.',
    external: 'The document is kept elsewhere.',
  },
};

const es = {
  reference: 'Referencia', references: 'Referencias',
  notCited: 'Leídas pero no citadas', page: 'página', slide: 'diapositiva',
  open: 'Abrir', download: 'Descargar documento',
  untitled: 'Sin título', noPassage: 'El pasaje no está disponible.',
  noSource: 'Ninguna fuente tiene este número',
  kinds: {
    slide: 'Diapositivas', lecture: 'Grabación', journal: 'Diario',
    web: 'Página web', image: 'Imagen de página', text: 'Texto',
  },
  states: {
    live: '',
    changed: 'El documento ha cambiado desde entonces. Ve la versión citada.',
    deleted: 'El documento se eliminó. El pasaje citado se conserva.',
    redacted: 'El pasaje se retiró.',
    withdrawn: 'Ya no puede abrir este documento.',
    external: 'El documento se guarda en otro lugar.',
  },
};

export const labels = { en, es };

export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, '0');
  const [h, m, s] = [whole / 3600, (whole / 60) % 60, whole % 60]
    .map(Math.floor);
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** The host of an http address, without user and in punycode; '' for others. */
export function hostOf(url) {
  try {
    const { protocol, host } = new URL(url);
    return /^https?:$/.test(protocol) ? host.replace(/^www\./, '') : '';
  } catch {
    return '';
  }
}

const seconds = ({ startSeconds: from, endSeconds: to }) => {
  if (from === null) return '';
  return to === null || to <= from ? clock(from)
    : `${clock(from)}–${clock(to)}`;
};

const LOCATORS = {
  slide: (s, words) => (s.slideNumber ? `${words.slide} ${s.slideNumber}` : ''),
  image: (s, words) => {
    const page = s.slideNumber ?? s.meta?.pageNumber;
    return page ? `${words.page} ${page}` : '';
  },
  lecture: seconds,
  journal: (s) => s.date ?? '',
  web: (s) => hostOf(s.url),
  text: () => '',
};

export function locatorOf(source, words = en) {
  return LOCATORS[source.sourceType]?.(source, words) ?? '';
}

export function nameOf(source, words = en) {
  const title = source.title?.replace(/\s+/g, ' ').trim() ||
    words.kinds[source.sourceType] || words.untitled;
  const locator = locatorOf(source, words);
  return locator ? `${title}, ${locator}` : title;
}
