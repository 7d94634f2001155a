// types.mjs - TypeScript types from the server's OpenAPI document.
//
//     node tools/types.mjs [FILE or URL] >schema.d.ts
//
// Takes /openapi.json of a running server, or the file of schemas it is made
// of, which is the default.  Knows the words of JSON Schema that we use; an
// unknown one is an error, so that no type is silently too wide.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

export const SCHEMAS = new URL(
  '../../../src/http/ops/openapi/schemas.json', import.meta.url);

// Say nothing about the shape that a type can say.
const SILENT = new Set(['description', 'example', 'format', 'minLength',
  'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'minProperties',
  'maxProperties', 'pattern', 'default', 'required', 'properties', 'items',
  'additionalProperties', 'type', 'enum', '$ref', 'oneOf', 'anyOf', 'allOf',
  'const', 'title', 'examples', 'deprecated', 'uniqueItems', 'multipleOf',
  'exclusiveMinimum', 'exclusiveMaximum', 'contentMediaType', 'readOnly']);

const SCALARS = {
  string: 'string', integer: 'number', number: 'number', boolean: 'boolean',
  null: 'null',
};

const either = (types) => [...new Set(types)].join(' | ');
const comment = (text, indent) =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '';
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

function fields(schema, indent) {
  const inner = `${indent}  `;
  const required = new Set(schema.required);
  const lines = Object.entries(schema.properties ?? {}).map(([name, s]) =>
    comment(s.description, inner) +
    `${inner}${key(name)}${required.has(name) ? '' : '?'}: ` +
    `${typeOf(s, inner)};\n`);
  const more = schema.additionalProperties;
  if (more && !lines.length)
    return 'Record<string, ' +
      `${more === true ? 'unknown' : typeOf(more, indent)}>`;
  if (more) lines.push(`${inner}[more: string]: unknown;\n`);
  return lines.length ? `{\n${lines.join('')}${indent}}`
    : 'Record<string, unknown>';
}

function single(type, schema, indent) {
  if (SCALARS[type]) return SCALARS[type];
  if (type === 'object') return fields(schema, indent);
  if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`;
  throw new Error(`unknown type ${type}`);
}

function typeOf(schema, indent) {
  const strange = Object.keys(schema).find((k) => !SILENT.has(k));
  if (strange) throw new Error(`unknown keyword ${strange}`);
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return either(schema.enum.map((v) => JSON.stringify(v)));
  if (schema.allOf)
    return schema.allOf.map((s) => typeOf(s, indent)).join(' & ');
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return either(choices.map((s) => typeOf(s, indent)));
  if (!schema.type) return 'unknown';
  return either([schema.type].flat().map((t) => single(t, schema, indent)));
}

/** The text of schema.d.ts for an OpenAPI document or its schemas alone. */
export function typesOf(document) {
  const schemas = document.components?.schemas ?? document;
  const types = Object.entries(schemas).map(([name, schema]) =>
    comment(schema.description, '') +
    `export type ${name} = ${typeOf(schema, '')};\n`);
  return '// Made by tools/types.mjs from the OpenAPI document; ' +
    `do not edit.\n\n${types.join('\n')}`;
}

export async function readDocument(where) {
  const url = where instanceof URL ? where
    : /^https?:/.test(where) ? new URL(where) : pathToFileURL(where);
  const text = url.protocol === 'file:' ? await readFile(url, 'utf8')
    : await (await fetch(url)).text();
  return JSON.parse(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(typesOf(await readDocument(process.argv[2] ?? SCHEMAS)));
