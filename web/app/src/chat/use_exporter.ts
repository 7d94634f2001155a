// Copies and saves answers, and says in a toast whether that worked.
import { useMemo } from 'react';
import { linkTo, type CitedMessage, type Source } from '@footnote/client';
import { referenceLine } from '../cite/source_text.ts';
import { useLocale } from '../i18n/index.ts';
import { toast } from '../ui/toast.ts';
import { copyAnswer, copyText } from './export.ts';

/** The functions stay the same until conversation, title or language change. */
export function useExporter(sessionId: string, title: string) {
  const { t, words } = useLocale();
  return useMemo(() => {
    const options = { words: words.labels, baseUrl: location.origin, sessionId };
    const copy = async (text: string, done: string) =>
      toast((await copyText(text)) ? done : t('copyFailed'));
    return {
      copyAnswer: async (message: CitedMessage, references: boolean) => {
        const done = await copyAnswer(message, { ...options, references });
        toast(!done ? t('copyFailed') : references ? t('copied') : t('copiedPlain'));
      },
      copyLink: (messageId: string) =>
        void copy(location.origin + linkTo({ sessionId, messageId }), t('linkCopied')),
      copyReferences: (messageId: string, sources: Source[]) =>
        void copy(sources.map((s) => referenceLine(s, { sessionId, messageId }, words.labels)).join('\n'), t('referenceCopied')),
      saveAnswer: async (message: CitedMessage) => (await import('./save.ts')).saveAnswer(message, title, options, t),
      saveConversation: async (messages: CitedMessage[]) => (await import('./save.ts')).saveConversation(messages, title, options, t),
    };
  }, [sessionId, title, t, words]);
}
