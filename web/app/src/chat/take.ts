// Taking answers along: clipboard and files.
import { type AnyMessage, clipboardOf, conversationToMarkdown, toMarkdown, toPlainText, type CitedMessage, type CopyOptions } from '@footnote/client';

const plain = (message: CitedMessage): AnyMessage => ({ ...message });

/** A copy on the clipboard as text and as HTML; false when that is forbidden. */
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

function save(text: string, name: string) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown' }));
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10_000);
}

const fileName = (title: string) =>
  `${title.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 60) || 'footnote'}.md`;

export const saveAnswer = (message: CitedMessage, title: string, o: CopyOptions) =>
  save(toMarkdown(plain(message), o), fileName(title));
export const saveConversation = (messages: CitedMessage[], title: string, o: CopyOptions) =>
  save(conversationToMarkdown(messages.map(plain), { ...o, title }), fileName(title));
