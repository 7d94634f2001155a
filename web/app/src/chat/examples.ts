// Example questions.  The demo course has questions that it answers; for other
// courses they are about documents of the course.
import type { DocumentInfo, Kind } from '@footnote/client';
import type { Language } from '../i18n/index.ts';
import { kindOfDocument } from '../data/kind_of_document.ts';

export interface Example { text: string; kinds: Kind[] }

/** The course that `--demo` makes. */
const DEMO_COURSE = 'demo';
const demoQuestions: Example[] = [
  { text: 'What is the best efficiency of an engine between 800 K and 300 K?', kinds: ['slide'] },
  { text: 'Why did Maxwell’s demon fail, if not because it has to look?', kinds: ['lecture', 'slide'] },
  { text: 'What mistake did we make with the entropy of the ice?', kinds: ['journal'] },
  { text: 'Can the demon just keep a very large notebook?', kinds: ['lecture'] },
];

const kindsOf: Record<ReturnType<typeof kindOfDocument>, Kind> = {
  slides: 'slide', paper: 'paper', lecture: 'lecture', journal: 'journal', page: 'web', text: 'text',
};
const questionAbout: Record<Language, (title: string) => string> = {
  en: (title) => `What does “${title}” say?`,
  es: (title) => `¿Qué dice «${title}»?`,
};
const SHOWN = 4;

export function examplesOf(courseId: string | null, documents: DocumentInfo[], language: Language): Example[] {
  if (courseId === DEMO_COURSE) return demoQuestions;
  const named = documents.filter((d) => d.title && d.searchableVersion !== null);
  return named.slice(0, SHOWN).map((d) => ({ text: questionAbout[language](d.title!), kinds: [kindsOf[kindOfDocument(d)]] }));
}
