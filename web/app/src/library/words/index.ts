// useWords(): what the library says, in the language of the page.
import { roomWords, type RoomLocale, type TextKeyOf } from '../../i18n/room_words.ts';
import { en, type LibraryWords } from './en.ts';
import { es } from './es.ts';

export type TextKey = TextKeyOf<LibraryWords>;
export type LibraryLocale = RoomLocale<LibraryWords>;
export const useWords = roomWords<LibraryWords>({ en, es });
