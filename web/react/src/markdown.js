// markdown.js - <CitedMarkdown>: an answer with its chips.
//
// React owns the box and its events.  The client's renderer draws its content,
// block by block, so that a long stream costs React nothing.
import { labels, mountMarkdown, nameOf } from '@footnote/client';
import { createElement, useLayoutEffect, useRef } from 'react';

const chipOf = (event) => event.target.closest?.('.fn-chip');
const numberOf = (chip) => Number(chip.dataset.n);

const NO_SOURCES = Object.freeze([]);

/** All that decides how chips look.  While an answer streams, its list of
 *  sources is new with every piece, but this is not. */
const chipsKey = (sources, { words, chip, refPrefix }) => [chip, refPrefix,
  words.reference, ...sources.map((source) =>
    `${source.chunkNumber} ${source.sourceType} ${nameOf(source, words)}`)]
  .join('\n');

export function CitedMarkdown({ text, sources = NO_SOURCES, streaming = false,
  words = labels.en, chip = 'a', refPrefix = 'ref-', className = 'fn-answer',
  onCite, onPeek, onBlock }) {
  const box = useRef(null);
  const drawing = useRef(null);

  useLayoutEffect(() => {
    const mount = mountMarkdown(box.current);
    drawing.current = { mount, key: null };
    return () => mount.clear();
  }, []);
  useLayoutEffect(() => {
    const { current } = drawing;
    const key = chipsKey(sources, { words, chip, refPrefix });
    if (current.key !== key)
      current.mount.set({ sources, words, chip, refPrefix });
    current.key = key;
    current.mount.onBlock = onBlock ?? null;
    current.mount.update(text, !streaming);
  }, [text, sources, streaming, words, chip, refPrefix, onBlock]);

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
