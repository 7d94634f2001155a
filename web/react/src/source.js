// source.js - <SourceView>: one source, opened at the cited place.
import {
  downloadOf, hrefOf, kindOf, labels, locatorOf, pictureOf,
} from '@footnote/client';
import { createElement as h } from 'react';

/** The recording or the picture of the page, if the server has it. */
function Original({ source, where: linkOptions }) {
  if (source.sourceType === 'lecture') {
    const src = hrefOf(source, linkOptions);
    return src && h('video', { className: 'fn-media', src, controls: true,
      preload: 'metadata' });
  }
  const src = pictureOf(source, linkOptions);
  return src && h('img', { className: 'fn-picture', src, loading: 'lazy',
    alt: source.contentPreview ?? '' });
}

const newTabProps = (source) => source.sourceType === 'web'
  ? { target: '_blank', rel: 'noopener noreferrer' } : {};

export function SourceView({ source, client, words = labels.en,
  className = 'fn-source', children }) {
  const linkOptions = { baseUrl: client?.baseUrl ?? '' };
  const href = hrefOf(source, linkOptions);
  const file = downloadOf(source, linkOptions);
  const state = words.states[source.state];

  return h('article', { className, 'data-kind': source.sourceType,
    'data-state': source.state },
  h('header', null,
    h('span', { className: 'fn-kind' }, words.kinds[kindOf(source)]), ' ',
    h('strong', { dir: 'auto' }, source.title ?? words.untitled), ' ',
    h('span', { className: 'fn-locator' }, locatorOf(source, words))),
  state && h('p', { className: 'fn-state', role: 'note' }, state),
  h(Original, { key: source.sourceId, source, where: linkOptions }),
  h('blockquote', { dir: 'auto' }, source.contentPreview ?? words.noPassage),
  h('p', { className: 'fn-actions' },
    href && h('a', { href, ...newTabProps(source) }, words.open), ' ',
    file && h('a', { href: file, download: '' }, words.download)),
  children);
}
