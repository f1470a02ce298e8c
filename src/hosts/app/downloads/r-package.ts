import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedPath } from "../../http/embedded.ts";
import type { Download } from "./wheel.ts";

/** The directory of the R package in the checkout and in the executable. */
export const R = "r";
const IN_CHECKOUT = fileURLToPath(new URL(`../../../../${R}`, import.meta.url));

/** Builds the source archive of the R package, as `install.packages` reads it. */
export async function buildRPackage(): Promise<Download> {
  const directory = embeddedPath(R) ?? IN_CHECKOUT;
  const paths = await Array.fromAsync(new Bun.Glob("**/*").scan(directory));
  const files = await Promise.all(
    paths.sort().map(async (path) => [path, await Bun.file(join(directory, path)).bytes()] as const),
  );
  const description = new TextDecoder().decode(files.find(([path]) => path === "DESCRIPTION")?.[1]);
  const [, version] = /^Version: (.+)$/m.exec(description) ?? [];
  if (version === undefined) throw new Error("The R package has no version.");
  const archive = new Bun.Archive(Object.fromEntries(files.map(([path, bytes]) => [`vitrine/${path}`, bytes])), {
    compress: "gzip",
  });
  return { name: `vitrine_${version}.tar.gz`, bytes: await archive.bytes() };
}
