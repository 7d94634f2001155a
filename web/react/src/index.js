// @footnote/react.  index.d.ts says what each of these does.
export { useCitedChat } from './chat.js';
export { CitedMarkdown } from './markdown.js';
export { References } from './references.js';
export { SourceView } from './source.js';
