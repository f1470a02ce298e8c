import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** One file for each port that somebody has been told of, in whatever process. */
const TOLD = join(tmpdir(), "vitrine-test-ports");
/** Milliseconds in which whoever was told of a port listens on it. */
const PATIENCE = 120_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Whether nobody else has been told of the port lately; from now on somebody has. */
async function take(port: number): Promise<boolean> {
  const path = join(TOLD, String(port));
  const told = await stat(path).catch(() => undefined);
  if (told !== undefined && Date.now() - told.mtimeMs > PATIENCE) await rm(path, { force: true });
  return writeFile(path, "", { flag: "wx" }).then(
    () => true,
    // Where somebody else's files cannot be written there is nobody to agree with.
    (error: NodeJS.ErrnoException) => error.code !== "EEXIST",
  );
}

/**
 * A port of loopback that nobody listens on or is about to. Below the range from which outgoing connections get theirs:
 * else one could take the port before whoever wants it.
 */
export async function findFreePort(): Promise<number> {
  await mkdir(TOLD, { recursive: true });
  for (;;) {
    const port = 16_000 + Math.floor(Math.random() * 16_000);
    if ((await isFree(port)) && (await take(port))) return port;
  }
}
