// Follows the end of a growing text, unless the reader has gone elsewhere.  Any
// move upward stops it; coming back near the end starts it again.
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

const NEAR = 100;

/** `there`: whether what `ref` stands for is on the page. */
export function useFollow(ref: RefObject<HTMLElement | null>, there: boolean, grows: unknown) {
  const following = useRef(true);
  const height = useRef(0);
  const [away, setAway] = useState(false);

  const note = useCallback((next: boolean) => {
    following.current = next;
    setAway(!next);
  }, []);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    let last = el.scrollTop;
    const scrolled = () => {
      const left = el.scrollHeight - el.scrollTop - el.clientHeight;
      if (el.scrollTop < last - 2) note(left < 4);
      else if (left < NEAR) note(true);
      last = el.scrollTop;
    };
    const upward = (e: WheelEvent) => {
      if (e.deltaY < 0 && el.scrollHeight > el.clientHeight) note(false);
    };
    el.addEventListener('scroll', scrolled, { passive: true });
    el.addEventListener('wheel', upward, { passive: true });
    return () => {
      el.removeEventListener('scroll', scrolled);
      el.removeEventListener('wheel', upward);
    };
  }, [note, ref, there]);
  useEffect(() => {
    const el = ref.current;
    if (!el || el.scrollHeight === height.current) return;
    height.current = el.scrollHeight;
    if (following.current) el.scrollTop = el.scrollHeight;
  }, [grows, ref]);

  const toEnd = useCallback(() => {
    note(true);
    ref.current?.scrollTo({ top: ref.current.scrollHeight, behavior: 'smooth' });
  }, [note, ref]);
  return { away, toEnd, release: useCallback(() => note(false), [note]) };
}
