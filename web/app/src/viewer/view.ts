// What every view of a source is given.
import type { DocumentInfo, Source } from '@footnote/client';

export type AskPage = (page: {
  documentId: string; courseId: string | null; title: string; n: number;
}) => void;

export interface ViewProps {
  source: Source;
  /** Null while it is asked for, or when it cannot be had. */
  document: DocumentInfo | null;
  /** The sentence of the answer that it carries. */
  claim: string;
  /** Cited sources of the same document, itself among them. */
  siblings: Source[];
  onOpen: (n: number) => void;
  onAskPage: AskPage;
}
