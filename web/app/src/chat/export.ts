// Answers to the clipboard; for files see save.ts.
import { clipboardOf, toPlainText, type AnyMessage, type CitedMessage, type CopyOptions } from '@footnote/client';

/** A copy, because an interface is not assignable to AnyMessage's plain object. */
export const plain = (message: CitedMessage): AnyMessage => ({ ...message });

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
