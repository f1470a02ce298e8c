import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeZip } from "client-zip";
import { z } from "zod";
import { embeddedPath } from "../../http/embedded.ts";

/** The directory of the Python package in the checkout and in the executable. */
export const PYTHON = "python";
const IN_CHECKOUT = fileURLToPath(new URL(`../../../../${PYTHON}`, import.meta.url));
/** The time of all files in the wheel. Zip archives have local times, so this one gives the same bytes everywhere. */
const TIME = new Date(2020, 0, 1);

const projectSchema = z.object({
  project: z.object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    "requires-python": z.string(),
    license: z.object({ text: z.string() }),
    classifiers: z.array(z.string()),
  }),
});

type Project = z.output<typeof projectSchema>["project"];

/** A package that the server hands out. */
export interface Download {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Builds the wheel of the Python package. The same sources give the same bytes. */
export async function buildWheel(): Promise<Download> {
  const directory = embeddedPath(PYTHON) ?? IN_CHECKOUT;
  const { project } = projectSchema.parse(Bun.TOML.parse(await Bun.file(join(directory, "pyproject.toml")).text()));
  const sources = join(directory, "src");
  const paths = await Array.fromAsync(new Bun.Glob(`${project.name}/**/{*.py,py.typed}`).scan(sources));
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const path of paths.sort()) files.set(path, await Bun.file(join(sources, path)).bytes());
  const information = `${project.name}-${project.version}.dist-info`;
  const readme = await Bun.file(join(directory, "README.md")).text();
  files.set(`${information}/METADATA`, encode(metadataOf(project, readme)));
  files.set(
    `${information}/WHEEL`,
    encode("Wheel-Version: 1.0\nGenerator: vitrine\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  );
  const record = `${information}/RECORD`;
  files.set(record, encode(`${[...files].map(recordOf).join("")}${record},,\n`));
  const entries = Array.from(files, ([name, input]) => ({ name, input, lastModified: TIME }));
  return {
    name: `${project.name}-${project.version}-py3-none-any.whl`,
    bytes: new Uint8Array(await new Response(makeZip(entries)).arrayBuffer()),
  };
}

const encode = (text: string) => new TextEncoder().encode(text);

const recordOf = ([path, bytes]: readonly [string, Uint8Array]) =>
  `${path},sha256=${createHash("sha256").update(bytes).digest("base64url")},${bytes.length}\n`;

const metadataOf = (project: Project, readme: string) =>
  [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    `License: ${project.license.text}`,
    ...project.classifiers.map((classifier) => `Classifier: ${classifier}`),
    `Requires-Python: ${project["requires-python"]}`,
    "Description-Content-Type: text/markdown",
    "",
    readme,
  ].join("\n");
