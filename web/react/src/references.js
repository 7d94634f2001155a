// references.js - <References>: the sources of an answer.
//
// Cited sources by document, each passage with its number.  Sources that were
// read but not cited are folded below, so that nobody takes them for evidence.
import { labels, locatorOf, nameOf, registryOf } from '@footnote/client';
import { createElement as h, useMemo } from 'react';

function Passage({ source, props }) {
  const { words = labels.en, refPrefix = 'ref-', active, onOpen, onPeek } =
    props;
  const n = source.chunkNumber;
  const peek = (number) => onPeek && (() => onPeek(number));
  return h('li', { id: `${refPrefix}${n}`, value: n, className: 'fn-passage',
    'data-state': source.state },
  h('button', { type: 'button', className: 'fn-ref',
    'aria-current': active === n ? 'true' : undefined,
    'aria-label': `${words.reference} ${n}: ${nameOf(source, words)}`,
    onClick: onOpen && (() => onOpen(source)),
    onPointerEnter: peek(n), onPointerLeave: peek(null),
    onFocus: peek(n), onBlur: peek(null) },
  h('span', { className: 'fn-number' }, n),
  h('span', { className: 'fn-locator' }, locatorOf(source, words)),
  h('q', { dir: 'auto' }, source.contentPreview ?? words.noPassage)),
  words.states[source.state] &&
    h('p', { className: 'fn-state' }, words.states[source.state]));
}

function Groups({ sources, props }) {
  const { words = labels.en } = props;
  return registryOf(sources).groups.map((group) => h('div', {
    key: group.key, className: 'fn-group', 'data-kind': group.sourceType },
  h('p', { className: 'fn-title', dir: 'auto' },
    h('span', { className: 'fn-kind' }, words.kinds[group.kind]), ' ',
    group.title ?? words.untitled),
  h('ol', null, group.sources.map((source) =>
    h(Passage, { key: source.chunkNumber, source, props })))));
}

export function References(props) {
  const { sources, words = labels.en, className = 'fn-references' } = props;
  const { cited, read } = useMemo(() => registryOf(sources), [sources]);
  if (!sources.length) return null;
  return h('section', { className, 'aria-label': words.references },
    h(Groups, { sources: cited, props }),
    read.length > 0 && h('details', { className: 'fn-read' },
      h('summary', null, `${words.notCited} (${read.length})`),
      h(Groups, { sources: read, props })));
}
