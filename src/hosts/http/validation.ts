import type { z } from "zod";
import { invalid } from "../../domain/model/failure.ts";

/** The value in the schema's form. Throws `Invalid` with one sentence about the first thing that is wrong. */
export function validate<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw invalid(issue ? describeIssue(issue, value) : "The request is not valid.");
}

/** The headers that the schema names. Throws `Invalid` as `validate` does. */
export function validateHeaders<Schema extends z.ZodObject>(schema: Schema, headers: Headers): z.output<Schema> {
  const given = Object.keys(schema.shape).filter((name) => headers.has(name));
  return validate(schema, Object.fromEntries(given.map((name) => [name, headers.get(name)])));
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const field = fieldOf(issue.path);
  if (field === "")
    return issue.code === "invalid_type" ? "The request body must be a JSON object." : `${issue.message}.`;
  if (issue.code === "invalid_type") {
    return isMissing(value, issue.path) ? `${field} is required.` : `${field} must be ${withArticle(issue.expected)}.`;
  }
  if (issue.code === "invalid_value") return `${field} must be one of ${issue.values.join(", ")}.`;
  return `${field} ${issue.message}.`;
}

/** Such as `files[2].path`. */
function fieldOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((field, key) => {
    if (typeof key === "number") return `${field}[${key}]`;
    return field === "" ? String(key) : `${field}.${String(key)}`;
  }, "");
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return true;
    inner = Reflect.get(inner, key);
  }
  return inner === undefined;
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
