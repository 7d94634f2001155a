// use-sdk.js - node --import this: @ai-sdk/react is the version in SDK.
import { register } from 'node:module';

const hooks = `export const resolve = (name, context, next) => next(
  name === '@ai-sdk/react' ? 'sdk${process.env.SDK ?? '7'}' : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
