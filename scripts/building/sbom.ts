import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Spec, Validation } from "@cyclonedx/cyclonedx-library";
import { z } from "zod";
import { ROOT, runCommand } from "./commands.ts";
import type { DebianPackage } from "./debian.ts";
import { dateOf, type Source } from "./source.ts";

const component = z.looseObject({ "bom-ref": z.string(), name: z.string(), version: z.string().optional() });
const bomSchema = z.looseObject({
  metadata: z.looseObject({ component }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

const GENERATOR = join(ROOT, "node_modules/@cyclonedx/cyclonedx-esbuild/bin/cyclonedx-esbuild-cli.js");

/** Packages that the executable contains but that the bundler does not see as modules. */
const WHOLE_PACKAGES = ["@scalar/fastify-api-reference"];

interface Inventory {
  source: Source;
  /** What Bun told about the modules in the executable. */
  metafile: Bun.BuildMetafile;
  /** The Debian packages in the image. */
  debian?: readonly DebianPackage[];
}

/** Returns a CycloneDX inventory of the executable or the image as JSON. */
export async function writeSbom({ source, metafile, debian = [] }: Inventory): Promise<string> {
  const bom = bomSchema.parse(await generate(mergeMetafiles([metafile, ...(await portalMetafiles())])));
  const added = [
    await describeBun(),
    ...(await Promise.all(WHOLE_PACKAGES.map(describePackage))),
    ...debian.map(describeDebian),
  ];
  const main = bom.metadata.component["bom-ref"];
  const isMain = ({ ref }: { ref: string }) => ref === main;
  const direct = bom.dependencies.find(isMain)?.dependsOn ?? [];
  const refs = added.map((one) => one["bom-ref"]);
  const result = {
    ...bom,
    metadata: {
      ...bom.metadata,
      timestamp: dateOf(source),
      component: { ...bom.metadata.component, properties: [{ name: "vitrine:commit", value: source.commit }] },
    },
    components: [...bom.components, ...added],
    dependencies: [
      ...bom.dependencies.filter((one) => !isMain(one)),
      { ref: main, dependsOn: [...new Set([...direct, ...refs])] },
      ...refs.map((ref) => ({ ref })),
    ],
  };
  const text = `${JSON.stringify(result, undefined, 1)}\n`;
  await validate(text);
  return text;
}

/** Throws if the inventory isn't valid CycloneDX. */
async function validate(text: string): Promise<void> {
  const fault = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text);
  if (fault !== null) throw new Error(`The inventory isn't valid CycloneDX: ${JSON.stringify(fault).slice(0, 2_000)}`);
}

/** Runs the generator, which finds packages, licenses and dependencies of modules. */
async function generate(metafile: Bun.BuildMetafile): Promise<unknown> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-sbom-"));
  try {
    const path = join(directory, "metafile.json");
    await Bun.write(path, JSON.stringify(metafile));
    const options = ["--output-reproducible", "--gather-license-texts", "--spec-version=1.6", "--output-file=-"];
    // Bun's metafile has paths relative to the root of the repository.
    const command = [process.execPath, "--no-env-file", GENERATOR, ...options, `--build-working-dir=${ROOT}`, path];
    return JSON.parse(await runCommand(command));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function mergeMetafiles(metafiles: readonly Bun.BuildMetafile[]): Bun.BuildMetafile {
  const outputs = metafiles.flatMap(({ outputs }, index) =>
    Object.entries(outputs).map(([path, output]) => [`${index}/${path}`, output] as const),
  );
  return { inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)), outputs: Object.fromEntries(outputs) };
}

/** Bundles the portal and the live pages once more, only to learn which modules they contain. */
async function portalMetafiles(): Promise<Bun.BuildMetafile[]> {
  const entries = ["portal/main.client.tsx", "hosts/live/shell/live.client.ts", "hosts/live/shell/version.client.ts"];
  const builds = entries.map(async (entry) => {
    const { metafile } = await Bun.build({
      entrypoints: [join(ROOT, "src", entry)],
      target: "browser",
      minify: true,
      define: { "process.env.NODE_ENV": '"production"' },
      metafile: true,
    });
    return metafile === undefined ? [] : [metafile];
  });
  return (await Promise.all(builds)).flat();
}

const packageSchema = z.object({ name: z.string(), version: z.string(), license: z.string() });

async function readPackage(name: string) {
  return packageSchema.parse(JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8")));
}

async function describePackage(name: string) {
  const { version, license } = await readPackage(name);
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: [{ license: { id: license } }] };
}

async function describeBun() {
  const bun = await describePackage("bun");
  return { ...bun, type: "platform", description: "The JavaScript runtime, which is part of the executable." };
}

function describeDebian({ name, version, architecture, copyright }: DebianPackage) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`;
  const text = { content: Buffer.from(copyright).toString("base64"), encoding: "base64", contentType: "text/plain" };
  const license = { name: `file: /usr/share/doc/${name}/copyright`, text };
  return { type: "library", "bom-ref": purl, name, version, purl, evidence: { licenses: [{ license }] } };
}
