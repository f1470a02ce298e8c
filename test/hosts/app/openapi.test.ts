import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import committed from "../../../generated/openapi.json";
import { routes } from "../../../src/contract/index.ts";
import { describeApi } from "../../../src/contract/openapi/openapi.ts";
import { useService } from "../../support/service.ts";

const operationSchema = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  "x-scope": z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  tags: z.array(z.string()).length(1),
  responses: z.record(
    z.string(),
    z.union([
      z.strictObject({ $ref: z.string() }),
      z.looseObject({ description: z.string(), content: z.unknown().optional() }),
    ]),
  ),
});
const documentSchema = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
});

const metaSchema = z.object({ examples: z.array(z.unknown()).default([]) });

/** Returns every `$ref` in a document. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "$ref" && typeof inner === "string" ? [inner] : referencesIn(inner),
  );
}

/** Follows a JSON pointer in a document (RFC 6901). */
function resolve(document: unknown, reference: string): unknown {
  const keys = reference.slice(2).split("/");
  return keys.reduce<unknown>((value, key) => {
    const name = decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }, document);
}

describe("the API description", () => {
  const service = useService();
  let text: string;
  let document: z.output<typeof documentSchema>;

  beforeAll(async () => {
    const response = await fetch(`${service.baseUrl}/api/openapi.json`);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    text = await response.text();
    document = documentSchema.parse(JSON.parse(text));
  });

  test("is served as committed, and matches the contract", () => {
    expect(JSON.parse(text)).toEqual(committed);
    expect<unknown>(describeApi()).toEqual(committed);
  });

  test("is OpenAPI 3.1, version 1.0.0", () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.info.version).toBe("1.0.0");
  });

  test("contains every route of the contract and no other", () => {
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.toSorted()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).toSorted());
    const ids = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(routes.length);
  });

  test.each(routes.map((route) => [route.path, route] as const))("%s: scope and statuses", (path, route) => {
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    expect(operation?.["x-scope"]).toBe(route.scope ?? undefined);
    const isForSessions = route.credential === "session";
    const isOpen = route.scope === null && !isForSessions;
    expect(operation?.security).toEqual(isOpen ? [] : [...(isForSessions ? [] : [{ token: [] }]), { session: [] }]);
    const statuses = ["200", "405", "429", "500", ...(isOpen ? [] : ["401", "403"])];
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(statuses));
  });

  test("puts every endpoint under one of its topics, and has no empty topic", () => {
    const used = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap(({ tags }) => tags),
    );
    expect(new Set(used)).toEqual(new Set(document.tags.map(({ name }) => name)));
  });

  test("resolves every reference", () => {
    const references = [...new Set(referencesIn(JSON.parse(text)))];
    expect(references.length).toBeGreaterThan(10);
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\/(schemas\/[A-Za-z]+|responses\/[A-Za-z]+|headers\/[A-Za-z-]+)$/);
      expect({ reference, target: resolve(JSON.parse(text), reference) }).toEqual({
        reference,
        target: expect.any(Object),
      });
    }
  });

  test.each(routes.map((route) => [route.path, route] as const))("%s: its examples are valid", (_, route) => {
    for (const schema of [route.body, route.response]) {
      const { examples } = metaSchema.parse(z.globalRegistry.get(schema) ?? {});
      for (const example of examples) expect(() => schema.parse(example)).not.toThrow();
    }
  });

  test("is public", async () => {
    const response = await fetch(`${service.baseUrl}/api/openapi.json`, { headers: { Authorization: "Bearer x" } });
    expect(response.status).toBe(200);
  });
});
