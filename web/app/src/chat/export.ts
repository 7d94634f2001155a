// Answers to the clipboard and to files.
import {
  clipboardOf, conversationToMarkdown, toMarkdown, toPlainText, type AnyMessage, type CitedMessage, type CopyOptions,
} from '@footnote/client';

/** A copy, because an interface is not assignable to AnyMessage's plain object. */
const plain = (message: CitedMessage): AnyMessage => ({ ...message });

/** Copies as text and as HTML; false when the browser forbids it. */
export async function copyAnswer(message: CitedMessage, o: CopyOptions): Promise<boolean> {
  try {
    const blobs = clipboardOf(plain(message), o);
    await navigator.clipboard.write([new ClipboardItem(blobs)]);
    return true;
  } catch {
    return copyText(toPlainText(plain(message), o));
  }
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

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

export const saveAnswer = (message: CitedMessage, title: string, o: CopyOptions) =>
  saveFile(toMarkdown(plain(message), o), fileNameOf(title));
export const saveConversation = (messages: CitedMessage[], title: string, o: CopyOptions) =>
  saveFile(conversationToMarkdown(messages.map(plain), { ...o, title }), fileNameOf(title));
