import { z } from "zod";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** Which side of a schema is meant: what is sent, or what is made of it. */
type Side = "input" | "output";

const COMPONENTS = "#/components/schemas/";

/** One schema inline, with references to the components for those that have an id. */
export function toSchema(schema: z.ZodType, io: Side): JsonObject {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: COMPONENTS + id };
  const { $schema: _, $defs: __, ...inline } = z.toJSONSchema(schema, { io, reused: "inline" });
  return tidy(plain(inline));
}

/** What inline schemas refer to, by id. */
export function componentSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: "input", uri: (id) => COMPONENTS + id });
  const components: JsonObject = {};
  for (const [id, { $schema: _, $id: __, id: ___, ...schema }] of Object.entries(schemas).sort()) {
    components[id] = tidy(plain(schema));
  }
  return components;
}

/** As JSON has it; the generator's own `#/$defs/X` are our components. */
const plain = (schema: object): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`));

/** Leaves out what says nothing to a reader, in a schema and in those within it. */
function tidy(schema: JsonObject): JsonObject {
  const tidied: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    if (!isNoise(key, value)) tidied[key] = key === "examples" ? value : tidyValue(value);
  }
  return joinNull(tidied);
}

function tidyValue(value: Json): Json {
  if (Array.isArray(value)) return value.map(tidyValue);
  return isObject(value) ? tidy(value) : value;
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whole numbers need not be told to be such; and an answer may have more fields one day. */
function isNoise(key: string, value: Json): boolean {
  if (key === "additionalProperties") return value === false;
  return (
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}

/** "Text or null" is one type for readers, unless the text has a name of its own. */
function joinNull(schema: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf;
  if (!isObject(first) || !isObject(second) || second.type !== "null" || typeof first.type !== "string") return schema;
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...first, ...values, ...others, type: [first.type, "null"] };
}
