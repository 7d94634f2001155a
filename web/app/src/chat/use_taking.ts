// Taking answers along, with a word that it was done.
import { useMemo } from 'react';
import { linkTo, type CitedMessage, type Source } from '@footnote/client';
import { lineOf } from '../cite/words.ts';
import { useWords } from '../i18n/index.ts';
import { toast } from '../ui/toast.ts';
import { copyAnswer, copyText, saveAnswer, saveConversation } from './take.ts';

/** The same functions as long as conversation, title and language are. */
export function useTaking(sessionId: string, title: string) {
  const { t, words } = useWords();
  return useMemo(() => {
    const options = { words: words.labels, baseUrl: location.origin };
    const say = async (text: string, done: string) =>
      toast((await copyText(text)) ? done : t('copyFailed'));
    return {
      copy: async (message: CitedMessage, references: boolean) => {
        const done = await copyAnswer(message, { ...options, references });
        toast(!done ? t('copyFailed') : references ? t('copied') : t('copiedPlain'));
      },
      link: (messageId: string) =>
        void say(location.origin + linkTo({ sessionId, messageId }), t('linkCopied')),
      lines: (sources: Source[]) =>
        void say(sources.map((s) => lineOf(s, words.labels)).join('\n'), t('cited')),
      save: (message: CitedMessage) => saveAnswer(message, title, options),
      saveAll: (messages: CitedMessage[]) => saveConversation(messages, title, options),
    };
  }, [sessionId, title, t, words]);
}
