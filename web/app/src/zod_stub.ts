// Replaces zod in the bundle (see vite.config.ts) and saves 26 kB.  The AI SDK
// builds zod schemas for chunks that its own transport would check.  Our chunks
// come through @footnote/client, which checks them, so the schemas are built and
// never used.  A function that would use one throws.
const schema: any = new Proxy(() => {}, {
  get: (_, key) => (typeof key === 'symbol' || key === 'then' ? undefined : schema),
  apply: () => schema,
});
const unused = (): never => {
  throw new Error('nothing here is checked by zod');
};

export {
  schema as any, schema as array, schema as boolean, schema as custom, schema as discriminatedUnion, schema as enum,
  schema as extend, schema as instanceof, schema as int, schema as json, schema as lazy, schema as literal,
  schema as looseObject, schema as maximum, schema as minLength, schema as never, schema as nonnegative,
  schema as null, schema as number, schema as object, schema as optional, schema as pipe, schema as positive,
  schema as record, schema as refine, schema as startsWith, schema as string, schema as transform,
  schema as union, schema as unknown,
  unused as safeParseAsync, unused as toJSONSchema,
};
