// Answers as files, with a remark on what their sources do not carry.
import { conversationToMarkdown, toMarkdown, type AnyMessage, type CitedMessage, type CopyOptions } from '@footnote/client';
import { remarkOf } from '../data/verdict_remark.ts';
import type { Locale } from '../i18n/index.ts';
import { plain } from './export.ts';

function saveFile(text: string, name: string) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

/** Letters and digits of any script, the rest as hyphens. */
export const fileNameOf = (title: string) =>
  `${title.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'footnote'}.md`;

const remarked = (o: CopyOptions, t: Locale['t']) => ({ ...o, remark: (message: AnyMessage) => remarkOf(message, t) });

export const saveAnswer = (message: CitedMessage, title: string, o: CopyOptions, t: Locale['t']) =>
  saveFile(toMarkdown(plain(message), remarked(o, t)), fileNameOf(title));
export const saveConversation = (messages: CitedMessage[], title: string, o: CopyOptions, t: Locale['t']) =>
  saveFile(conversationToMarkdown(messages.map(plain), { ...remarked(o, t), title }), fileNameOf(title));
