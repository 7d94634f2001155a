// @footnote/client.  index.d.ts says what each of these does.
export { claimOf } from './claim.js';
export { claimsOf } from './claims.js';
export { createClient } from './client.js';
export {
  clipboardOf, conversationToMarkdown, toHtml, toMarkdown, toPlainText,
} from './copy.js';
export { errorOf, FootnoteError } from './error.js';
export { readEvents } from './events.js';
export { fold, newMessage } from './fold.js';
export {
  downloadOf, hrefOf, linkTo, parseLink, parseReaderLink, pictureOf,
  readerLink, readerOf,
} from './links.js';
export { findMarks, settledLength as settledLength } from './marks.js';
export { mountMarkdown } from './mount.js';
export { registryOf } from './registry.js';
export { createRenderer, renderMarkdown } from './render.js';
export { citedMessageOf, sourcesOf, textOf, toSource } from './sources.js';
export { readChat } from './stream.js';
export { ask, follow, followEvents } from './turn.js';
export {
  clock, kindOf, labels, locatorOf, nameOf, pageLabelOf,
} from './labels.js';
