import type { z } from "zod";
import { invalid } from "../../domain/model/failure.ts";
import { quote } from "../../domain/model/quote.ts";

const ALTERNATIVES = new Intl.ListFormat("en", { type: "disjunction" });

/** Returns the value as the schema parses it. Throws `Invalid` about the first field that is invalid. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(issue ? describeIssue(issue, value) : "The request isn't valid. Check its fields.");
}

/** Returns the headers that the schema names. Throws `Invalid` about the first one that is invalid. */
export function validateHeaders<Schema extends z.ZodObject>(schema: Schema, headers: Headers): z.output<Schema> {
  const given = Object.keys(schema.shape).filter((name) => headers.has(name));
  return validate(schema, Object.fromEntries(given.map((name) => [name, headers.get(name)])));
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const field = fieldOf(issue.path);
  if (field === "")
    return issue.code === "invalid_type" ? "The request body must be a JSON object." : `${issue.message}.`;
  const found = valueAt(value, issue.path);
  if (found === undefined) return `${field} is required.`;
  switch (issue.code) {
    case "invalid_type":
      return `${field} must be ${withArticle(issue.expected)}, not ${describeValue(found)}.`;
    case "invalid_value":
      return `${field} must be ${ALTERNATIVES.format(issue.values.map(String))}, not ${describeValue(found)}.`;
    case "invalid_format":
      return `${field} ${describeValue(found)} isn't valid: it ${issue.message}.`;
    default:
      return `${field} ${issue.message}.`;
  }
}

/** Returns the name of a field, such as `files[2].path`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`;
    return field === "" ? String(key) : `${field}.${String(key)}`;
  }, "");
}

/** Returns the value of a field, or undefined if it is missing. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = Reflect.get(inner, key);
  }
  return inner;
}

/** Returns a value as messages show it. Only strings are quoted. */
function describeValue(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return "an array";
  return value === null ? "null" : withArticle(typeof value);
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
