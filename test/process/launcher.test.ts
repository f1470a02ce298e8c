import { expect, test } from "bun:test";
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../support/cli.ts";

const NAMES = ["bun-linux-x64", "bun-linux-x64-musl"] as const;
const LAUNCHER = new URL("../../bin/vitrine", import.meta.url).pathname;

test("the launcher chooses the Bun of this machine's C library if npm has installed two", async () => {
  const root = await mkdtemp(join(tmpdir(), "vitrine-launcher-"));
  try {
    const place = async (path: string) => {
      await mkdir(join(root, path, ".."), { recursive: true });
      return join(root, path);
    };
    const launcher = await place("bin/vitrine");
    await copyFile(LAUNCHER, launcher);
    const [own, foreign] = process.execPath.includes("-musl/") ? NAMES.toReversed() : NAMES;
    await symlink(process.execPath, await place(`node_modules/@oven/${own}/bin/bun`));
    const other = await place(`node_modules/@oven/${foreign}/bin/bun`);
    await writeFile(other, "#!/lib/ld-musl-of-another-machine.so.1\n");
    await chmod(other, 0o755);
    await writeFile(await place("src/main.ts"), "console.log(process.argv.slice(2).join());");
    expect(await run([launcher, "publish", "a b"])).toMatchObject({ stdout: "publish,a b\n", code: 0 });
  } finally {
    await rm(root, { recursive: true });
  }
});
