// main.mjs - all cases; the words of the command line pick some by name.
import * as ai5 from 'ai5';
import * as ai6 from 'ai6';
import * as ai7 from 'ai7';
import * as hook5 from 'hook5';
import * as hook6 from 'hook6';
import * as hook7 from 'hook7';

import { chatCases } from './chat.mjs';
import { hookCases } from './hook.mjs';
import { runAll } from './lib.mjs';
import { openaiCases } from './openai.mjs';

const majors = { 5: { ...ai5, ...hook5 }, 6: { ...ai6, ...hook6 }, 7: { ...ai7, ...hook7 } };

for (const [version, parts] of Object.entries(majors)) {
    chatCases(version, parts);
    hookCases(version, parts);
}
openaiCases();
process.exit((await runAll(process.argv.slice(2))) ? 0 : 1);
