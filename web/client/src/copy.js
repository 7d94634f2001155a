// copy.js - answers as Markdown, text and HTML, with their references.
import { escape } from './html.js';
import { hrefOf, linkTo } from './links.js';
import { findMarks } from './marks.js';
import { renderMarkdown } from './render.js';
import { sourcesNamedBy, sourcesOf, textOf } from './sources.js';
import { labels, nameOf } from './labels.js';

const QUOTE_CHARS_MAX = 300;

/** Replaces each marker by write(its sources). */
function rewriteMarkers(text, sources, write) {
  let result = '';
  let at = 0;
  for (const { start, end, named } of markerSpans(text, sources)) {
    const written = write(named);
    const before = text.slice(at, start);
    result += written === '' ? before.replace(/[ \t]+$/, '')
      : before + written;
    at = end;
  }
  return result + text.slice(at);
}

function markerSpans(text, sources) {
  const spans = new Map();
  for (const mark of findMarks(text)) {
    const span = spans.get(mark.start) ??
      { start: mark.start, end: mark.end, named: [] };
    span.named.push(...sourcesNamedBy(mark, sources));
    spans.set(mark.start, span);
  }
  return [...spans.values()].filter(({ named }) => named.length);
}

function quoteOf(source) {
  const text = source.contentPreview?.replace(/\s+/g, ' ').trim() ?? '';
  if (text.length <= QUOTE_CHARS_MAX) return text;
  const cut = text.slice(0, QUOTE_CHARS_MAX)
    .replace(/\s+\S*$|[\uD800-\uDBFF]$/, '');
  return `${cut} …`;
}

/** Absolute addresses, the reference's own first: relative ones mean nothing
 *  elsewhere. */
function addressesOf(source, { baseUrl, sessionId, messageId }) {
  const own = sessionId && messageId ? baseUrl +
    linkTo({ sessionId, messageId, n: source.chunkNumber }) : null;
  const original = own === null || source.sourceType === 'web'
    ? hrefOf(source, { baseUrl }) : null;
  return [own, original].filter((href) => /^https?:/.test(href ?? ''))
    .map((href) => new URL(href).href);
}

/** Escapes what would be Markdown in a footnote. */
const escapeMarkdown = (text) => text.replace(/[\\`*_[\]<>#|~]/g, '\\$&');

function withDefaults(options) {
  return { words: labels.en, baseUrl: globalThis.location?.origin ?? '',
    references: true, ...options };
}

// ---- Markdown --------------------------------------------------------------

function footnote(source, label, options) {
  const quote = quoteOf(source);
  const addresses = addressesOf(source, options);
  return `[^${label}]: ${escapeMarkdown(nameOf(source, options.words))}.` +
    (quote ? ` “${escapeMarkdown(quote)}”` : '') +
    addresses.map((address) => ` <${address}>`).join('');
}

function markdownOf(message, prefix, options) {
  const sources = sourcesOf(message);
  const { references } = options;
  const links = { ...options, messageId: message.id };
  const label = (source) => `${prefix}${source.chunkNumber}`;
  const text = rewriteMarkers(textOf(message), sources, (named) => (references
    ? named.map((source) => `[^${label(source)}]`).join('') : ''));
  const cited = references ? sources.filter((source) => source.cited) : [];
  const remark = message.role === 'user' ? null : options.remark?.(message);
  return { text: [text.trim(), remark].filter(Boolean).join('\n\n'),
    notes: cited.map((source) => footnote(source, label(source), links)) };
}

const joinParagraphs = (...parts) => `${parts.filter(Boolean).join('\n\n')}\n`;

export function toMarkdown(message, options) {
  const { text, notes } = markdownOf(message, '', withDefaults(options));
  return joinParagraphs(text, notes.join('\n'));
}

export function conversationToMarkdown(messages, options) {
  const all = withDefaults(options);
  const notes = [];
  const parts = messages.map((message, i) => {
    const answer = markdownOf(message, `${i + 1}-`, all);
    notes.push(...answer.notes);
    // A question becomes a quote, so that nothing in it becomes a heading.
    return message.role === 'user'
      ? answer.text.replace(/^/gm, '> ').replace(/^> $/gm, '>') : answer.text;
  });
  return joinParagraphs(all.title && `# ${escapeMarkdown(all.title)}`, ...parts,
    notes.join('\n'));
}

// ---- Plain text and HTML ---------------------------------------------------

function plainTextEntry(source, options) {
  const quote = quoteOf(source);
  return [`[${source.chunkNumber}] ${nameOf(source, options.words)}` +
    (quote ? `. “${quote}”` : ''), ...addressesOf(source, options)].join(' ');
}

export function toPlainText(message, options) {
  const all = { ...withDefaults(options), messageId: message.id };
  const sources = sourcesOf(message);
  const text = textOf(message);
  if (!all.references)
    return joinParagraphs(rewriteMarkers(text, sources, () => '').trim());
  const cited = sources.filter((source) => source.cited);
  return joinParagraphs(text.trim(), cited.length && [`${all.words.references}:`,
    ...cited.map((source) => plainTextEntry(source, all))].join('\n'));
}

function htmlEntry(source, options) {
  const [address, original] = addressesOf(source, options);
  const link = (href, text) => `<a href="${escape(href)}">${text}</a>`;
  const name = escape(nameOf(source, options.words));
  const quote = quoteOf(source);
  return `<p>[${source.chunkNumber}] ` +
    (address ? link(address, name) : name) +
    (quote ? `. “${escape(quote)}”` : '') +
    (original ? ` ${link(original, escape(original))}` : '') + '</p>';
}

/** A chip in rendered HTML; outside of our page it becomes [n]. */
const CHIP =
  /\u2060?<a href="[^"]*" class="fn-chip" data-n="(\d+)"[^>]*>\d+<\/a>/g;
/** A number without a source becomes what was written. */
const NO_SOURCE = /<span class="fn-no-source"[^>]*>([^<]*)<\/span>/g;
const withoutOurMarkup = (html) =>
  html.replace(CHIP, ' [$1]').replace(NO_SOURCE, '$1');

export function toHtml(message, options) {
  const all = { ...withDefaults(options), messageId: message.id };
  const sources = sourcesOf(message);
  const text = textOf(message);
  if (!all.references)
    return withoutOurMarkup(
      renderMarkdown(rewriteMarkers(text, sources, () => '')));
  const body = withoutOurMarkup(
    renderMarkdown(text, { sources, words: all.words }));
  const cited = sources.filter((source) => source.cited);
  return body + (cited.length ? `<h4>${escape(all.words.references)}</h4>` +
    cited.map((source) => htmlEntry(source, all)).join('') : '');
}

export function clipboardOf(message, options) {
  const blob = (type, text) => new Blob([text], { type });
  return {
    'text/plain': blob('text/plain', toPlainText(message, options)),
    'text/html': blob('text/html', toHtml(message, options)),
  };
}
