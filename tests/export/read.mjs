// read.mjs FILE FORMAT - what citation-js reads: a JSON list of [type, title].
import { readFileSync } from 'node:fs';
import { Cite } from '@citation-js/core';
import '@citation-js/plugin-bibtex';
import '@citation-js/plugin-csl';
import '@citation-js/plugin-ris';

const types = { bibtex: '@bibtex/text', csl: '@csl/list+text', ris: '@ris/file' };
const cite = new Cite(readFileSync(process.argv[2], 'utf8'),
  process.argv[3] === 'csl' ? {} : { forceType: types[process.argv[3]] });
cite.format('bibliography', { format: 'text' });
console.log(JSON.stringify(cite.data.map((d) => [d.type, d.title])));
