// useWords(): what sharing and administration say, in the language of the page.
import { roomWords, type TextKeyOf } from '../../i18n/room_words.ts';
import { en, type PeopleWords } from './en.ts';
import { es } from './es.ts';

export type TextKey = TextKeyOf<PeopleWords>;
export const useWords = roomWords<PeopleWords>({ en, es });
