import { join } from "node:path";
import { runCommand } from "./commands.ts";
import type { Source } from "./source.ts";

/** Packs files of a directory into a tar file whose bytes depend only on the content. */
export async function writeTar(
  outfile: string,
  {
    directory,
    names,
    source: { epoch },
  }: { directory: string; names: readonly string[]; source: Pick<Source, "epoch"> },
): Promise<void> {
  await runCommand([
    "tar",
    "--create",
    `--file=${outfile}`,
    `--directory=${directory}`,
    "--format=gnu",
    "--sort=name",
    `--mtime=@${epoch}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u=rwX,go=rX",
    ...(outfile.endsWith(".gz") ? ["--use-compress-program=gzip --no-name"] : []),
    ...names,
  ]);
}

/** Returns a line for each file as sha256sum writes and checks them. */
export async function sumFiles(directory: string, names: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    names.toSorted().map(async (name) => `${await digestOf(join(directory, name))}  ${name}\n`),
  );
  return lines.join("");
}

async function digestOf(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return hasher.digest("hex");
}
