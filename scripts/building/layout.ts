import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** A reference to a blob in an OCI layout. */
const descriptor = z.looseObject({ digest: z.templateLiteral(["sha256:", z.string()]), size: z.number() });
type Descriptor = z.output<typeof descriptor>;
const indexSchema = z.looseObject({ manifests: z.tuple([descriptor]) });
const manifestSchema = z.looseObject({ config: descriptor, layers: z.array(descriptor) });
const configSchema = z.looseObject({ config: z.looseObject({}) });

const NANOSECONDS = 1_000_000_000;

interface LayoutOptions {
  /** The name and tag of the image. */
  name: string;
  healthcheck: readonly string[];
}

/**
 * Adds to an OCI layout what buildah leaves out and Docker reads: the health check, the name to load the image under, and
 * a list for versions of Docker whose `docker load` knows only that. Returns the bytes to download.
 */
export async function finishLayout(layout: string, { name, healthcheck }: LayoutOptions): Promise<number> {
  const indexPath = join(layout, "index.json");
  const index = indexSchema.parse(await readJson(indexPath));
  const [reference] = index.manifests;
  const manifest = manifestSchema.parse(await readJson(pathOf(layout, reference)));
  const image = configSchema.parse(await readJson(pathOf(layout, manifest.config)));
  const Healthcheck = {
    Test: ["CMD", ...healthcheck],
    Interval: 10 * NANOSECONDS,
    Timeout: 5 * NANOSECONDS,
    StartPeriod: 90 * NANOSECONDS,
    Retries: 3,
  };
  const config = await writeBlob(layout, manifest.config, { ...image, config: { ...image.config, Healthcheck } });
  const finished = await writeBlob(layout, reference, { ...manifest, config });
  const annotations = {
    "org.opencontainers.image.ref.name": name,
    "io.containerd.image.name": `docker.io/library/${name}`,
  };
  await writeFile(indexPath, JSON.stringify({ ...index, manifests: [{ ...finished, annotations }] }));
  const list = { Config: blobOf(config), RepoTags: [name], Layers: manifest.layers.map(blobOf) };
  await writeFile(join(layout, "manifest.json"), JSON.stringify([list]));
  return [finished, config, ...manifest.layers].reduce((sum, { size }) => sum + size, 0);
}

const readJson = async (path: string): Promise<unknown> => JSON.parse(await readFile(path, "utf8"));

const blobOf = ({ digest }: Descriptor) => `blobs/${digest.replace(":", "/")}`;

const pathOf = (layout: string, reference: Descriptor) => join(layout, blobOf(reference));

/** Replaces a JSON blob and returns the descriptor of the new one. */
async function writeBlob(layout: string, replaced: Descriptor, content: unknown): Promise<Descriptor> {
  const text = JSON.stringify(content);
  const digest = new Bun.CryptoHasher("sha256").update(text).digest("hex");
  const written: Descriptor = { ...replaced, digest: `sha256:${digest}`, size: Buffer.byteLength(text) };
  await writeFile(pathOf(layout, written), text);
  if (written.digest !== replaced.digest) await Bun.file(pathOf(layout, replaced)).delete();
  return written;
}
