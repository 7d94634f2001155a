// The props of every view of a source.
import type { ReactNode } from 'react';
import type { DocumentInfo, Marks, Source } from '@footnote/client';
import type { Version } from '../data/documents.ts';
import type { Claims } from '../data/marks.ts';

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
  /** What the answer says before the source's numbers. */
  claims: Claims;
  /** Where that stands; no value while it is loaded, and when nobody can say. */
  marks: Marks | undefined;
  /** The claims of another source of the same answer. */
  claimsOf: (source: Source) => Claims;
  /** Cited sources of the same document, this one included. */
  siblings: Source[];
  onOpen: (n: number) => void;
  /** Null where no question can be asked. */
  onAskPage: AskPage | null;
}
