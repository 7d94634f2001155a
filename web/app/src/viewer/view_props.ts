// The props of every view of a source.
import type { ReactNode } from 'react';
import type { DocumentInfo, Source } from '@footnote/client';
import type { Version } from '../data/documents.ts';

export type AskPage = (page: {
  documentId: string; courseId: string | null; title: string; n: number;
}) => void;

export interface ViewProps {
  source: Source;
  /** Null while it is loaded and when it is not available. */
  document: DocumentInfo | null;
  /** The version that is shown: the cited one, or null for the newest. */
  version: Version;
  /** What became of the document, with the way to its newest version. */
  note: ReactNode;
  /** The sentence of the answer that the source supports. */
  claim: string;
  /** Cited sources of the same document, this one included. */
  siblings: Source[];
  onOpen: (n: number) => void;
  /** Null where no question can be asked. */
  onAskPage: AskPage | null;
}
