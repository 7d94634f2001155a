// Node's hooks of use-typescript.js: types are removed, not checked.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const compilerOptions = {
  target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext,
  jsx: ts.JsxEmit.ReactJSX, verbatimModuleSyntax: true,
};

export async function load(url, context, next) {
  if (!/\.tsx?$/.test(url)) return next(url, context);
  const fileName = fileURLToPath(url);
  const text = await readFile(fileName, 'utf8');
  const { outputText } = ts.transpileModule(text, { fileName, compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
