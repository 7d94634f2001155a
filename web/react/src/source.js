// source.js - <SourceView>: one source, at its place.
import {
  downloadOf, hrefOf, labels, locatorOf, pictureOf,
} from '@footnote/client';
import { createElement as h } from 'react';

/** The page or the recording itself, when it is kept here. */
function Original({ source, where }) {
  if (source.sourceType === 'lecture') {
    const src = hrefOf(source, where);
    return src && h('video', { className: 'fn-media', src, controls: true,
      preload: 'metadata' });
  }
  const src = pictureOf(source, where);
  return src && h('img', { className: 'fn-picture', src, loading: 'lazy',
    alt: source.contentPreview ?? '' });
}

const outside = (source) => source.sourceType === 'web'
  ? { target: '_blank', rel: 'noopener noreferrer' } : {};

export function SourceView({ source, client, words = labels.en,
  className = 'fn-source', children }) {
  const where = { baseUrl: client?.baseUrl ?? '' };
  const href = hrefOf(source, where);
  const file = downloadOf(source, where);
  const state = words.states[source.state];

  return h('article', { className, 'data-kind': source.sourceType,
    'data-state': source.state },
  h('header', null,
    h('span', { className: 'fn-kind' }, words.kinds[source.sourceType]), ' ',
    h('strong', { dir: 'auto' }, source.title ?? words.untitled), ' ',
    h('span', { className: 'fn-locator' }, locatorOf(source, words))),
  state && h('p', { className: 'fn-state', role: 'note' }, state),
  h(Original, { key: source.sourceId, source, where }),
  h('blockquote', { dir: 'auto' }, source.contentPreview ?? words.noPassage),
  h('p', { className: 'fn-doors' },
    href && h('a', { href, ...outside(source) }, words.open), ' ',
    file && h('a', { href: file, download: '' }, words.download)),
  children);
}
