// What a document is called.
import type { DocumentInfo } from '@footnote/client';

/** A PDF is slides to the server; with tall pages it is a paper to people. */
export const kindOfDocument = ({ kind, layout }: Pick<DocumentInfo, 'kind' | 'layout'>): DocumentInfo['kind'] | 'paper' =>
  (kind === 'slides' && layout === 'tall' ? 'paper' : kind);
