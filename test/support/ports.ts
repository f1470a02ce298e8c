import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Holds one file for each port that a test process has taken. */
const TAKEN = join(process.env.VITRINE_TEST_PORTS ?? tmpdir(), "vitrine-test-ports");
/** Milliseconds in which a server starts listening on the port that it was given. */
const PATIENCE = 120_000;

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** Takes a port unless another process took it recently. Returns whether it succeeded. */
async function take(port: number): Promise<boolean> {
  const path = join(TAKEN, String(port));
  const told = await stat(path).catch(() => undefined);
  if (told !== undefined && Date.now() - told.mtimeMs > PATIENCE) await rm(path, { force: true });
  return writeFile(path, "", { flag: "wx" }).then(
    () => true,
    // If the directory belongs to another user, their tests can't run at the same time.
    (error: NodeJS.ErrnoException) => error.code !== "EEXIST",
  );
}

/** Returns a free port on loopback. It is below the range of outgoing connections, so that none of them takes it. */
export async function findFreePort(): Promise<number> {
  await mkdir(TAKEN, { recursive: true });
  for (;;) {
    const port = 16_000 + Math.floor(Math.random() * 16_000);
    if ((await isFree(port)) && (await take(port))) return port;
  }
}
