import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { z } from "zod";
import { documentsOf, ROOT, textOf, VERSION } from "./documents.ts";
// From github.com/compose-spec/compose-spec, commit 170098b, Apache-2.0; formatted.
import composeSpec from "./schemas/compose-spec.json";

const composeSchema = z.object({
  services: z.record(z.string(), z.object({ image: z.string(), volumes: z.array(z.string()).default([]) })),
  volumes: z.record(z.string(), z.null()),
});

const readCompose = async () => composeSchema.parse((await documentsOf("compose.yaml"))[0]);
const sourceOf = (volume: string) => volume.split(":")[0] ?? "";

describe("compose.yaml", () => {
  const ajv = new Ajv({ strict: false, allErrors: true, formats: { duration: true, subnet_ip_address: true } });
  // Ajv uses this version of JSON Schema by default, and knows it under an http: address only.
  const { $schema, ...schema } = composeSpec;
  const validate = ajv.compile(schema);

  test("is valid by the Compose specification", async () => {
    const [compose] = await documentsOf("compose.yaml");
    validate(compose);
    expect(validate.errors ?? []).toEqual([]);
  });

  test("would not be valid with an unknown key", async () => {
    expect(validate({ services: { vitrine: { image: "vitrine", helthcheck: {} } } })).toBe(false);
  });

  test("mounts files that exist, except for the certificates", async () => {
    const { services, volumes } = await readCompose();
    for (const source of Object.values(services).flatMap(({ volumes: mounted }) => mounted.map(sourceOf))) {
      const exists = source.startsWith("./")
        ? existsSync(join(ROOT, "deploy", source))
        : Object.hasOwn(volumes, source);
      expect({ source, exists }).toEqual({ source, exists: source !== "./certificates" });
    }
  });

  test("starts this version as the replicas that nginx knows", async () => {
    const { services } = await readCompose();
    const replicas = Object.keys(services).filter((name) => name.startsWith("vitrine-"));
    expect(replicas.map((name) => services[name]?.image)).toEqual([`vitrine:${VERSION}`, `vitrine:${VERSION}`]);
    const replaced = [...(await textOf("compose.yaml")).matchAll(/s\/([\d.:]+)\/(vitrine-[ab]):\d+\//g)];
    expect(replaced).toHaveLength(4);
    const nginx = await textOf("nginx/vitrine.conf");
    for (const [, address = "", service = ""] of replaced) {
      expect(nginx).toContain(`server ${address} `);
      expect(replicas).toContain(service);
    }
  });
});
