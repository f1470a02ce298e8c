import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";
import document from "../../../generated/openapi.json";

const reference = z.object({ $ref: z.string() });
const media = z.record(z.string(), z.object({ schema: z.unknown() }));
const parameter = z.object({ name: z.string(), in: z.enum(["query", "header"]), required: z.boolean() });
const answer = z.object({ headers: z.record(z.string(), reference), content: media.optional() });
const operation = z.object({
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter.extend({ schema: z.unknown() })).default([]),
  requestBody: z.object({ content: media }).optional(),
  responses: z.record(z.string(), z.union([answer, reference])),
});
const headerComponent = z.object({ required: z.boolean().default(false), schema: z.unknown() });
const sharedAnswers = z.record(z.string(), answer).parse(document.components.responses);
const sharedHeaders = z.record(z.string(), headerComponent).parse(document.components.headers);
const paths = z.record(z.string(), z.record(z.string(), operation)).parse(document.paths);

type Operation = z.output<typeof operation>;
type Answer = z.output<typeof answer>;
export type DescribedApi = ReturnType<typeof readDescribedApi>;

/** A request before it is sent. */
export interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: RequestInit["body"];
}

/** Headers that don't belong to the API. */
const COMMON_HEADERS = new Set([
  ...["content-type", "content-length", "content-encoding", "transfer-encoding", "date", "connection", "keep-alive"],
  ...["cache-control", "x-content-type-options", "cross-origin-resource-policy", "content-security-policy"],
  // Headers that nginx adds in front of replicas.
  ...(process.env.VITRINE_TEST_REPLICAS === undefined ? [] : ["server", "strict-transport-security"]),
]);

/** Reads openapi.json to check requests and answers. */
export function readDescribedApi() {
  const schemas = compileSchemas();

  /** Throws with all problems. Ignores requests to other addresses. */
  async function check(sent: Sent, response: Response): Promise<void> {
    const operations = paths[sent.url.pathname];
    if (operations === undefined) return;
    const described = operations[sent.method === "HEAD" ? "get" : sent.method.toLowerCase()];
    const problems =
      described === undefined ? checkOther(response, operations) : await checkBoth(described, sent, response);
    if (problems.length === 0) return;
    const line = `${sent.method} ${sent.url.pathname} → ${response.status}`;
    throw new Error(`${line} doesn't match the description:\n${problems.join("\n")}`);
  }

  async function checkBoth(described: Operation, sent: Sent, response: Response): Promise<string[]> {
    const problems = await checkAnswer(described, sent.method, response);
    if (!response.ok) return problems;
    return [
      ...problems,
      ...checkCredentials(described, sent.headers),
      ...checkParameters(described, sent.url.searchParams, sent.headers),
      ...(await checkBody(described, sent)),
    ];
  }

  /** For an undescribed method, only its refusal is valid. */
  function checkOther(response: Response, operations: Readonly<Record<string, Operation>>): string[] {
    const statuses = new Set(Object.values(operations).flatMap(({ responses }) => Object.keys(responses)));
    return !response.ok && statuses.has(String(response.status)) ? [] : ["the method is not described"];
  }

  async function checkAnswer({ responses }: Operation, method: string, response: Response): Promise<string[]> {
    const found = responses[String(response.status)];
    if (found === undefined) return ["the status is not described"];
    const described = "$ref" in found ? sharedAnswers[nameIn(found.$ref)] : found;
    if (described === undefined) return ["the status is described somewhere else, and not there"];
    if (described.content === undefined) return checkHeaders(described, response.headers);
    const type = (response.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const content = described.content[type];
    if (content === undefined) return [`the content type ${type} is not described`];
    const problems = checkHeaders(described, response.headers);
    if (type !== "application/json" || method === "HEAD") return problems;
    return [...problems, ...schemas.ofAnswers(content.schema, "the answer", await response.clone().json())];
  }

  function checkHeaders({ headers: described }: Answer, headers: Headers): string[] {
    const names = new Set(Object.keys(described).map((name) => name.toLowerCase()));
    const unknown = [...headers.keys()].filter((name) => !names.has(name) && !COMMON_HEADERS.has(name));
    const problems = unknown.map((name) => `the header ${name} is not described`);
    for (const [name, { $ref }] of Object.entries(described)) {
      const { required, schema } = sharedHeaders[nameIn($ref)] ?? { required: true, schema: false };
      const value = headers.get(name);
      if (value !== null) problems.push(...schemas.ofText(schema, `the header ${name}`, value));
      else if (required) problems.push(`the header ${name} is missing`);
    }
    return problems;
  }

  function checkParameters({ parameters }: Operation, query: URLSearchParams, headers: Headers): string[] {
    const problems: string[] = [];
    for (const { name, in: place, required, schema } of parameters) {
      const values = place === "query" ? query.getAll(name) : [headers.get(name) ?? []].flat();
      if (values.length > 0) problems.push(...schemas.ofText(schema, `the parameter ${name}`, ...values));
      else if (required) problems.push(`the parameter ${name} is described as required`);
    }
    return problems;
  }

  async function checkBody({ requestBody }: Operation, { headers, body }: Sent): Promise<string[]> {
    if (requestBody === undefined || headers.has("content-encoding")) return [];
    if (body instanceof FormData) {
      const form = requestBody.content["multipart/form-data"];
      return form === undefined ? ["forms are not described"] : schemas.ofSent(form.schema, "the form", formOf(body));
    }
    const isText = typeof body === "string" || body instanceof Uint8Array || body instanceof Blob;
    const json = requestBody.content["application/json"];
    // Streams are consumed, and handmade forms are recognized by their type.
    if (!isText || headers.get("content-type") !== "application/json" || json === undefined) return [];
    return schemas.ofSent(json.schema, "the body", parseJson(await new Response(body).bytes()));
  }

  return {
    check,
    /** Counts what was checked. */
  };
}

/** Parses as the server does, without a byte order mark. */
const parseJson = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

const CREDENTIALS: Readonly<Record<string, string>> = { token: "authorization", session: "cookie" };

function checkCredentials({ security }: Operation, headers: Headers): string[] {
  const isOpen = security.length === 0;
  const presented = security.some((each) => Object.keys(each).some((name) => headers.has(CREDENTIALS[name] ?? name)));
  return isOpen || presented ? [] : ["it was accepted without any of the described credentials"];
}

/** Returns a form as the description represents it: files apart, everything else by name. */
function formOf(form: FormData): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  const files: string[] = [];
  form.forEach((value, name) => {
    if (typeof value === "string") sent[name] = value;
    else files.push(value.name);
  });
  return { ...sent, files };
}

const nameIn = ($ref: string): string => $ref.split("/").at(-1) ?? "";

type Check = (schema: unknown, what: string, value: unknown) => string[];

function compileSchemas() {
  // Converts headers and parameters to numbers and arrays where the schema requires them.
  const inObject = (schema: unknown) => ({ type: "object", properties: { value: schema } });
  const texts = createValidators(document, inObject, { coerceTypes: "array" });
  return {
    ofAnswers: createValidators(closed(document), closed),
    ofSent: createValidators(document, (schema) => schema),
    ofText: (schema: unknown, what: string, ...values: readonly string[]): string[] =>
      texts(schema, what, { value: values.length === 1 ? values[0] : values }),
  };
}

/** Closes schemas to undescribed fields: an answer with more fields is described incompletely. */
function closed(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, closed(inner)]));
  return "properties" in copy && copy.type === "object" ? { additionalProperties: false, ...copy } : copy;
}

/** Compiles each schema once, after `prepare`. */
function createValidators(
  root: unknown,
  prepare: (schema: unknown) => unknown,
  options: { coerceTypes?: "array" } = {},
): Check {
  const ajv = new Ajv2020({ ...options, strict: false, allErrors: true });
  ajv.addFormat("date-time", (text: string) => !Number.isNaN(Date.parse(text)) && text.endsWith("Z"));
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat("uri", (text: string) => URL.canParse(text));
  ajv.addFormat("binary", true);
  ajv.addSchema({ $id: "described", ...z.object({ components: z.unknown() }).parse(root) });
  const compiled = new Map<unknown, ValidateFunction>();
  function compile(schema: unknown): ValidateFunction {
    const text = JSON.stringify(prepare(schema)).replaceAll('"#/components/', '"described#/components/');
    const made = ajv.compile(JSON.parse(text));
    compiled.set(schema, made);
    return made;
  }
  return (schema, what, value) => {
    const validate = compiled.get(schema) ?? compile(schema);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${what}${instancePath} ${message}`);
  };
}
