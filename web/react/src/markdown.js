// markdown.js - <CitedMarkdown>: an answer with its chips.
//
// React owns the box and its events; what is in it is drawn by the client's
// renderer, block by block, so a long stream costs React nothing.
import { mountMarkdown, nameOf } from '@footnote/client';
import { createElement, useLayoutEffect, useMemo, useRef } from 'react';

const chipOf = (event) => event.target.closest?.('.fn-chip');
const numberOf = (chip) => Number(chip.dataset.n);

/** What of the sources can be seen in the text; while it streams the list is
 *  new with every piece, but this is not. */
const visible = (sources, words) => sources.map((source) =>
  `${source.chunkNumber} ${source.sourceType} ${nameOf(source, words)}`)
  .join('\n');

const given = (options) => Object.fromEntries(Object.entries(options)
  .filter(([, value]) => value !== undefined));

export function CitedMarkdown({ text, sources = [], streaming = false, words,
  chip, refPrefix, className = 'fn-answer', onCite, onPeek, onBlock }) {
  const box = useRef(null);
  const mount = useRef(null);
  const seen = visible(sources, words);
  const options = useMemo(() => given({ sources, words, chip, refPrefix }),
    [seen, words, chip, refPrefix]);

  useLayoutEffect(() => {
    mount.current = mountMarkdown(box.current, options);
    const { current } = mount;
    return () => current.clear();
  }, [options]);
  useLayoutEffect(() => {
    mount.current.onBlock = onBlock ?? null;
    mount.current.update(text, !streaming);
  }, [text, streaming, options, onBlock]);

  const peek = (on) => (event) => {
    const found = chipOf(event);
    if (found) onPeek?.(on ? numberOf(found) : null, on ? found : null);
  };
  return createElement('div', {
    ref: box, className, 'aria-busy': streaming || undefined,
    onClick: (event) => {
      const found = onCite && chipOf(event);
      if (!found || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      onCite(numberOf(found), found);
    },
    onPointerOver: peek(true), onPointerOut: peek(false),
    onFocus: peek(true), onBlur: peek(false),
  });
}
