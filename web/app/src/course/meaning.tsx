// How far the server's embedder is with a course, while passages wait for it.
import { useEffect, useState } from 'react';
import { client } from '../data/api.ts';
import type { Course } from '../data/courses.ts';
import { useLocale } from '../i18n/index.ts';

const LOOK_MS = 5000;

export function Meaning({ courseId }: { courseId: string }) {
  const { t, percent } = useLocale();
  const [meaning, setMeaning] = useState<Course['meaning']>();

  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    const look = () => client.getCourse(courseId, { signal: controller.signal }).then((course) => {
      setMeaning(course.meaning);
      if (course.meaning) timer = setTimeout(look, LOOK_MS);
    }, () => {}); // nothing depends on it
    void look();
    return () => { controller.abort(); clearTimeout(timer); };
  }, [courseId]);

  if (!meaning || meaning.vectors >= meaning.passages) return null;
  const part = Math.floor((100 * meaning.vectors) / meaning.passages) / 100; // 99.9 % is not all
  return <p className="quiet" role="status">{t('meaningProgress', { words: percent(1), meaning: percent(part) })}</p>;
}
