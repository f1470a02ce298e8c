import type { ToolAnnotations } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the schema of arguments, without what only costs an agent's context. */
export function advertiseInput(schema: z.ZodType): Json {
  const { $schema: _, ...json } = shorten(z.toJSONSchema(schema, { io: "input", target: "draft-7" }));
  return { ...json, additionalProperties: false };
}

/** The schema of results. Agents see the fields in the results, and each name here would cost every agent's context. */
export const ADVERTISED_OUTPUT = { type: "object" } as const;

/** Values of hints that clients assume (MCP, `ToolAnnotations`). */
const ASSUMED = { idempotentHint: false, openWorldHint: true };

type Hints = Required<Omit<ToolAnnotations, "title">>;

/**
 * Returns the hints that clients don't assume. Whether a tool that only reads is destructive means nothing; of any other,
 * it is said even if it is what clients assume.
 */
export function advertiseHints(hints: Hints): ToolAnnotations {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = hints;
  const openWorld = openWorldHint === ASSUMED.openWorldHint ? {} : { openWorldHint };
  if (readOnlyHint) return { readOnlyHint, ...openWorld };
  return {
    destructiveHint,
    ...(idempotentHint === ASSUMED.idempotentHint ? {} : { idempotentHint }),
    ...openWorld,
  };
}

function shorten(schema: Json): Json {
  // What another tool spells out.
  if (schema.advertised === "object") return { type: "object", description: schema.description };
  // Limits that only matter to a call that exceeds them are checked, not advertised.
  const {
    additionalProperties: _,
    maxLength: _max,
    minLength: _min,
    minItems: _items,
    maxItems: _most,
    pattern: _pattern,
    minimum: _low,
    maximum,
    ...rest
  } = schema;
  return chooseType({
    ...mapSchemas(rest, shorten),
    ...(typeof maximum === "number" && maximum < 2 ** 31 - 1 ? { maximum } : {}),
  });
}

function mapSchemas(schema: Json, map: (schema: Json) => Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === "properties" && isObject(value)) {
        return [
          key,
          Object.fromEntries(
            Object.entries(value).map(([name, property]) => [name, isObject(property) ? map(property) : property]),
          ),
        ];
      }
      if (key === "items" && isObject(value)) return [key, map(value)];
      if (key === "anyOf" && Array.isArray(value)) {
        return [key, value.map((one: unknown) => (isObject(one) ? map(one) : one))];
      }
      return [key, value];
    }),
  );
}

/**
 * Advertises the first of several plain types. Calls may have any of them, but not every client's schemas know lists of types:
 * those of OpenAPI 3.0 (Schema Object), which some models' function declarations follow, don't.
 */
function chooseType(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const types = anyOf.map((one: unknown) =>
    isObject(one) && typeof one.type === "string" && Object.keys(one).length === 1 ? one.type : undefined,
  );
  return types.includes(undefined) ? schema : { ...rest, type: types[0] };
}
