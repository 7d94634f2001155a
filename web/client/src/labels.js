// labels.js - names and places of sources, in the reader's language.

const en = {
  reference: 'Reference', references: 'References',
  notCited: 'Read but not cited', page: 'page', slide: 'slide',
  open: 'Open', download: 'Download document',
  untitled: 'Untitled', noPassage: 'The passage is not available.',
  noSource: 'No source has this number',
  kinds: {
    slide: 'Slides', paper: 'Paper', lecture: 'Recording', journal: 'Journal', web: 'Web page',
    image: 'Page picture', text: 'Text',
  },
  places: {
    sheet: 'sheet', cells: 'cells', cell: 'cell', line: 'line', lines: 'lines',
    chapter: 'chapter', message: 'message',
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
    slide: 'Diapositivas', paper: 'Documento', lecture: 'Grabación',
    journal: 'Diario',
    web: 'Página web', image: 'Imagen de página', text: 'Texto',
  },
  places: {
    sheet: 'hoja', cells: 'celdas', cell: 'celda', line: 'línea',
    lines: 'líneas', chapter: 'capítulo', message: 'mensaje',
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

/** What a source is called: a key of `kinds`.  Slides are wide, papers tall. */
export const kindOf = ({ sourceType, meta }) =>
  (sourceType === 'slide' && meta?.layout === 'tall' ? 'paper' : sourceType);

/** "page xii" where that is printed on it, else as pages are counted. */
function page(s, words) {
  if (!s.slideNumber) return '';
  const word = kindOf(s) === 'paper' ? words.page : words.slide;
  return `${word} ${s.pageLabel ?? s.slideNumber}`;
}

const CELLS = /^(?:(.*)!)?([A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?)$/s;
const COUNTED = /^(cell|lines?|chapter|message) (\d+(?:–\d+)?)$/;

/** "Prices!B2:D9", "lines 10–20"; a heading of the document is its own name. */
function placeOf({ locator }, { places = en.places }) {
  const [, sheet, cells] = CELLS.exec(locator ?? '') ?? [];
  if (cells) return sheet ? `${places.sheet} ${sheet}, ${cells}` : `${places.cells} ${cells}`;
  const [, word, numbers] = COUNTED.exec(locator ?? '') ?? [];
  return word ? `${places[word]} ${numbers}` : locator ?? '';
}

const LOCATORS = {
  slide: page,
  image: (s, words) => {
    const page = s.slideNumber ?? s.meta?.pageNumber;
    return page ? `${words.page} ${page}` : '';
  },
  lecture: seconds,
  journal: (s) => s.date ?? '',
  web: (s) => hostOf(s.url),
  text: placeOf,
};

const TENS = [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'],
  [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'], [5, 'v'], [4, 'iv'],
  [1, 'i']];
const ROMAN_MAX = 3999;
const LETTERS_MAX = 26 * 4;

function roman(n) {
  let text = '';
  let rest = n;
  for (const [value, letters] of TENS)
    for (; rest >= value; rest -= value) text += letters;
  return text;
}

/** z is followed by aa, then bb. */
const letters = (n) => String.fromCharCode(97 + ((n - 1) % 26))
  .repeat(Math.ceil(n / 26));

const STYLES = {
  i: (n) => (n <= ROMAN_MAX ? roman(n) : String(n)),
  a: (n) => (n <= LETTERS_MAX ? letters(n) : String(n)),
};

export function pageLabelOf({ pageLabels }, n) {
  const range = pageLabels?.findLast(({ page: from }) => from <= n);
  if (!range) return null;
  const { style, prefix, page: from, first } = range;
  if (style === null) return prefix || null;
  const text = STYLES[style.toLowerCase()]?.(first + n - from) ??
    String(first + n - from);
  return prefix + (/[IA]/.test(style) ? text.toUpperCase() : text);
}

/** @typedef {Omit<typeof en, 'places'> & Partial<typeof en>} Words one's own may lack places */

/** @param {Words} words */
export function locatorOf(source, words = en) {
  return LOCATORS[source.sourceType]?.(source, words) ?? '';
}

/** @param {Words} words */
export function nameOf(source, words = en) {
  const title = source.title?.replace(/\s+/g, ' ').trim() ||
    words.kinds[kindOf(source)] || words.untitled;
  const locator = locatorOf(source, words);
  return locator ? `${title}, ${locator}` : title;
}
