import * as z from "zod";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
/** The side of a schema: what clients send, or what parsing returns. */
type Side = "input" | "output";

const COMPONENTS = "#/components/schemas/";

/** Returns a schema inline, or a reference to its component if it has an ID. */
export function toSchema(schema: z.ZodType, io: Side): JsonObject {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: COMPONENTS + id };
  const { $schema: _, $defs: __, ...inline } = z.toJSONSchema(schema, { io, reused: "inline" });
  return tidy(plain(inline));
}

/** Returns the schemas that have an ID, which the others refer to. */
export function componentSchemas(): JsonObject {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { io: "input", uri: (id) => COMPONENTS + id });
  const components: JsonObject = {};
  for (const [id, { $schema: _, $id: __, id: ___, ...schema }] of Object.entries(schemas).sort()) {
    components[id] = tidy(plain(schema));
  }
  return components;
}

/** Returns a schema as plain JSON, with `#/$defs/X` replaced by references to the components. */
const plain = (schema: object): JsonObject =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENTS}`));

/** Removes noise from a schema and those nested in it. */
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

/** Finds the bounds of safe integers, which say nothing, and closed objects: responses may gain fields. */
function isNoise(key: string, value: Json): boolean {
  if (key === "additionalProperties") return value === false;
  return (
    (key === "minimum" && value === Number.MIN_SAFE_INTEGER) || (key === "maximum" && value === Number.MAX_SAFE_INTEGER)
  );
}

/** Joins "X or null" into one type, unless X is a reference to a component. */
function joinNull(schema: JsonObject): JsonObject {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [first, second] = anyOf;
  if (!isObject(first) || !isObject(second) || second.type !== "null" || typeof first.type !== "string") return schema;
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
  return { ...first, ...values, ...others, type: [first.type, "null"] };
}
