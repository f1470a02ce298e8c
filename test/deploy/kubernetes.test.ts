import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { LIVE_PATH, READY_PATH } from "../../src/hosts/http/ready.ts";
import { readSettings } from "../../src/settings/settings.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { run } from "../support/cli.ts";
import { documentsOf, ROOT, VERSION } from "./documents.ts";

const KUSTOMIZATION = "kustomization.yaml";
/** Seconds for connections to close. */
const DISCONNECTING = 2;

const labels = z.record(z.string(), z.string());
const headSchema = z.object({ apiVersion: z.string(), kind: z.string(), metadata: z.object({ name: z.string() }) });
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const deploymentSchema = z.object({
  spec: z.object({
    selector: z.object({ matchLabels: labels }),
    template: z.object({
      metadata: z.object({ labels, annotations: labels }),
      spec: z.object({
        enableServiceLinks: z.literal(false),
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            image: z.string(),
            envFrom: z.array(z.record(z.string(), z.object({ name: z.string() }))),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            startupProbe: probe,
            livenessProbe: probe,
            readinessProbe: probe,
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
          }),
        ]),
        volumes: z.array(z.looseObject({ name: z.string() })),
      }),
    }),
  }),
});
const serviceSchema = z.object({
  spec: z.object({ selector: labels, ports: z.array(z.object({ name: z.string(), targetPort: z.string() })) }),
});
const ingressSchema = z.object({
  spec: z.object({
    tls: z.array(z.object({ hosts: z.array(z.string()) })),
    rules: z.array(
      z.object({
        host: z.string(),
        http: z.object({
          paths: z.tuple([
            z.object({
              backend: z.object({ service: z.object({ name: z.string(), port: z.object({ name: z.string() }) }) }),
            }),
          ]),
        }),
      }),
    ),
  }),
});
const kustomizationSchema = z.strictObject({
  apiVersion: z.literal("kustomize.config.k8s.io/v1beta1"),
  kind: z.literal("Kustomization"),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.array(z.strictObject({ name: z.string(), newName: z.string(), newTag: z.string() })),
});

const files = (await readdir(join(ROOT, "deploy/kubernetes"))).toSorted();
const resources = (
  await Promise.all(files.filter((name) => name !== KUSTOMIZATION).map((name) => documentsOf(`kubernetes/${name}`)))
).flat();

/** Returns the resources of a kind, by name. */
const find = <Schema extends z.ZodType>(kind: string, schema: Schema): Record<string, z.output<Schema>> =>
  Object.fromEntries(
    resources.flatMap((resource) => {
      const head = headSchema.parse(resource);
      return head.kind === kind ? [[head.metadata.name, schema.parse(resource)]] : [];
    }),
  );

const { vitrine: deployment } = find("Deployment", deploymentSchema);
if (deployment === undefined) throw new Error("There is no deployment called vitrine.");
const pod = deployment.spec.template;
const [container] = pod.spec.containers;

describe("the schemas of Kubernetes", () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-kubernetes-"));
    await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Has the compiler look for unknown and mistyped fields, and the schemas for everything else. */
  async function validate(name: string, documents: readonly unknown[]) {
    const source = documents.map((document, index) => {
      const { apiVersion, kind } = headSchema.parse(document);
      return [
        `import { type I${kind} as I${index}, ${kind} as K${index} } from "kubernetes-models/${apiVersion}/${kind}";`,
        `const document${index}: I${index} = ${JSON.stringify(document, undefined, 2)};`,
        `new K${index}(document${index}).validate();`,
      ].join("\n");
    });
    const place = join(directory, name);
    await mkdir(place);
    await Bun.write(join(place, "documents.ts"), source.join("\n"));
    const options = { module: "preserve", noEmit: true, strict: true, skipLibCheck: true, types: [] };
    await Bun.write(join(place, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
    const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
    const compiled = await run([process.execPath, "--no-env-file", compiler, "--project", place]);
    if (compiled.code !== 0) return compiled.stdout;
    const validated = await run([process.execPath, "--no-env-file", join(place, "documents.ts")]);
    return validated.code === 0 ? "valid" : validated.stderr;
  }

  test("accept every resource", async () => {
    expect(resources.length).toBeGreaterThan(7);
    expect(await validate("all", resources)).toBe("valid");
  });

  test.each([
    ["unknown", { maxUnavailable: 1, minAvailble: 1 }, '"minAvailble"'],
    ["mistyped", { maxUnavailable: [1] }, "number[]"],
  ])("refuse %s fields", async (name, spec, complaint) => {
    const budget = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name: "vitrine" }, spec };
    expect(await validate(name, [budget])).toContain(complaint);
  });
});

describe("the resources for Kubernetes", () => {
  test("are all applied, with the image of this version", async () => {
    const kustomization = kustomizationSchema.parse((await documentsOf(`kubernetes/${KUSTOMIZATION}`))[0]);
    expect([...kustomization.resources, KUSTOMIZATION].toSorted()).toEqual(files);
    expect(Object.keys(find("Namespace", headSchema))).toEqual([kustomization.namespace]);
    expect(container.image).toBe(`vitrine:${VERSION}`);
    expect(kustomization.images).toEqual([expect.objectContaining({ name: "vitrine", newTag: VERSION })]);
  });

  test("refer to one another by the right names", () => {
    const { matchLabels } = deployment.spec.selector;
    expect(pod.metadata.labels).toEqual(matchLabels);
    const selected = z.object({ spec: z.object({ selector: z.object({ matchLabels: labels }) }) });
    expect(find("PodDisruptionBudget", selected).vitrine?.spec.selector.matchLabels).toEqual(matchLabels);
    const services = find("Service", serviceSchema);
    // Only pods serve metrics.
    const ports = container.ports.map(({ name }) => name).filter((name) => name !== "metrics");
    expect(Object.values(services).map(({ spec }) => spec.ports.map(({ targetPort }) => targetPort))).toEqual(
      ports.map((name) => [name]),
    );
    for (const { spec } of Object.values(services)) expect(spec.selector).toEqual(matchLabels);
    const { readinessProbe, livenessProbe, startupProbe } = container;
    expect([readinessProbe, livenessProbe, startupProbe].map(({ httpGet }) => [httpGet.path, httpGet.port])).toEqual([
      [READY_PATH, "app"],
      [LIVE_PATH, "app"],
      [LIVE_PATH, "app"],
    ]);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.spec.volumes.map(({ name }) => name));
    const sources = [...Object.keys(find("ConfigMap", headSchema)), ...Object.keys(find("Secret", headSchema))];
    expect(container.envFrom.flatMap((from) => Object.values(from).map(({ name }) => name))).toEqual(sources);
  });

  test("set settings that the server accepts once the secret is filled in", () => {
    const config = find("ConfigMap", z.object({ data: labels })).vitrine?.data;
    const secrets = find("Secret", z.object({ stringData: labels })).vitrine?.stringData;
    const environment = { ...config, ...secrets };
    const names = Object.keys(environment).filter((name) => name.startsWith("VITRINE_"));
    expect(names.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
    const credentials = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };
    expect(() => readSettings({ ...environment, ...credentials })).toThrow("VITRINE_SECRET");
    const filledIn = { ...environment, ...credentials, VITRINE_SECRET: "s".repeat(32) };
    const { baseUrl, contentUrl, stopDelay, stopGrace } = readSettings(filledIn);
    const { containerPort } = container.ports.find(({ name }) => name === "metrics") ?? {};
    expect([containerPort, pod.metadata.annotations["prometheus.io/port"]].map(String)).toEqual(
      Array.from({ length: 2 }, () => environment.VITRINE_METRICS_PORT ?? ""),
    );
    expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan((stopDelay + stopGrace) / 1000 + DISCONNECTING);
    const { rules = [], tls = [] } = find("Ingress", ingressSchema).vitrine?.spec ?? {};
    const services = ["vitrine-app", "vitrine-content"];
    expect(rules.map(({ host, http: { paths } }) => [`https://${host}`, paths[0].backend.service.name])).toEqual(
      [baseUrl, contentUrl].map((url, index) => [url ?? "", services[index] ?? ""]),
    );
    expect(tls.flatMap(({ hosts }) => hosts)).toEqual(rules.map(({ host }) => host));
  });
});
