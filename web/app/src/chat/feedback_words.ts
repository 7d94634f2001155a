// The words of feedback: they come with it, not with the page.
import type { Language } from '../i18n/index.ts';

const en = {
  good: 'Good answer',
  wrong: 'Something is wrong',
  thanks: 'Thank you. It is kept with the answer',
  takenBack: 'Taken back',
  whatIsWrong: 'What is wrong?',
  not_true: 'Not true',
  wrong_source: 'Wrong source',
  not_asked: 'Not what I asked',
  missing: 'Something missing',
  whichNumber: 'Which number?',
  note: 'In a word, if you like',
  seen: 'The editors of the course may see this, without your name.',
  send: 'Send',
  takeBack: 'Take back',
  failed: 'That could not be kept. Try again.',
};
export type FeedbackWords = typeof en;

const es: FeedbackWords = {
  good: 'Buena respuesta',
  wrong: 'Hay algo mal',
  thanks: 'Gracias. Queda guardado con la respuesta',
  takenBack: 'Retirado',
  whatIsWrong: '¿Qué está mal?',
  not_true: 'No es cierto',
  wrong_source: 'Fuente equivocada',
  not_asked: 'No es lo que pregunté',
  missing: 'Falta algo',
  whichNumber: '¿Qué número?',
  note: 'En una palabra, si quieres',
  seen: 'Quienes editan el curso pueden verlo, sin tu nombre.',
  send: 'Enviar',
  takeBack: 'Retirar',
  failed: 'No se pudo guardar. Inténtalo de nuevo.',
};

export const feedbackWords: Readonly<Record<Language, FeedbackWords>> = { en, es };
