// Scrolls along with the end of a growing text.  Scrolling up stops that;
// scrolling back near the end starts it again.
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

/** Pixels from the end that count as being there. */
const NEAR = 100;

/** `mounted`: whether the element of `ref` is on the page.  `text` is what grows
 *  in it. */
export function useFollowEnd(ref: RefObject<HTMLElement | null>, mounted: boolean, text: unknown) {
  const following = useRef(true);
  const height = useRef(0);
  const [away, setAway] = useState(false);

  const setFollowing = useCallback((next: boolean) => {
    following.current = next;
    setAway(!next);
  }, []);
  useEffect(() => {
    const el = ref.current;
    if (!el) return;
    let last = el.scrollTop;
    const onScroll = () => {
      const left = el.scrollHeight - el.scrollTop - el.clientHeight;
      if (el.scrollTop < last - 2) setFollowing(left < 4);
      else if (left < NEAR) setFollowing(true);
      last = el.scrollTop;
    };
    const onWheel = (e: WheelEvent) => {
      if (e.deltaY < 0 && el.scrollHeight > el.clientHeight) setFollowing(false);
    };
    el.addEventListener('scroll', onScroll, { passive: true });
    el.addEventListener('wheel', onWheel, { passive: true });
    return () => {
      el.removeEventListener('scroll', onScroll);
      el.removeEventListener('wheel', onWheel);
    };
  }, [setFollowing, ref, mounted]);
  useEffect(() => {
    const el = ref.current;
    if (!el || el.scrollHeight === height.current) return;
    height.current = el.scrollHeight;
    if (following.current) el.scrollTop = el.scrollHeight;
  }, [text, ref]);

  const scrollToEnd = useCallback(() => {
    setFollowing(true);
    ref.current?.scrollTo({ top: ref.current.scrollHeight, behavior: 'smooth' });
  }, [setFollowing, ref]);
  const stopFollowing = useCallback(() => setFollowing(false), [setFollowing]);
  return { away, scrollToEnd, stopFollowing };
}
