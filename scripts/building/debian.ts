import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./commands.ts";
import type { Source } from "./source.ts";

const SUITE = "trixie";
/** The executable needs the C library. base-files says which Debian this is, for vulnerability scanners. */
const WANTED = ["base-files", "libc6", "libgcc-s1"];
/** A package that base-files needs for scripts, which never run here. */
const UNWANTED = "mawk";
/** Files for package managers and login shells, and those that mmdebstrap copies from this machine. */
const UNUSED = [
  ...["boot", "dev", "home", "media", "mnt", "opt", "root", "srv", "var"],
  ...["etc/apt", "etc/default", "etc/dpkg", "etc/fstab", "etc/hostname", "etc/resolv.conf", "etc/skel"],
  ...["base-files", "bug", "info", "lintian", "locale", "man"].map((name) => `usr/share/${name}`),
  ...["bin", "share/doc"].map((directory) => `usr/${directory}/${UNWANTED}`),
];

/** The user that the server runs as. */
export const USER = { name: "vitrine", id: 10_001, home: "/var/lib/vitrine" };

export interface DebianPackage {
  name: string;
  version: string;
  architecture: string;
  /** The copyright notice and license. */
  copyright: string;
}

/** Fills a directory with a Debian system that has no shell and no package manager. Needs root and mmdebstrap. */
export async function makeSystem(root: string, architecture: string, { epoch }: Source): Promise<DebianPackage[]> {
  const archives = await mkdtemp(join(tmpdir(), "vitrine-debs-"));
  try {
    await runCommand(
      [
        "mmdebstrap",
        "--quiet",
        "--mode=root",
        "--variant=extract",
        `--architectures=${architecture}`,
        `--include=${WANTED.join(",")}`,
        `--extract-hook=sync-out /var/cache/apt/archives ${archives}`,
        SUITE,
        root,
      ],
      { environment: { SOURCE_DATE_EPOCH: String(epoch) } },
    );
    for (const path of UNUSED) await rm(join(root, path), { recursive: true, force: true });
    // Container engines mount it.
    await mkdir(join(root, "dev"));
    const packages = await listPackages(root, archives);
    await writeAccounts(root);
    return packages;
  } finally {
    await rm(archives, { recursive: true });
  }
}

/** Returns the packages, and records them where vulnerability scanners look for them if there is no package manager. */
async function listPackages(root: string, archives: string): Promise<DebianPackage[]> {
  const status = join(root, "var/lib/dpkg/status.d");
  await mkdir(status, { recursive: true });
  const packages: DebianPackage[] = [];
  for (const file of (await readdir(archives)).filter((name) => name.endsWith(".deb")).toSorted()) {
    const path = join(archives, file);
    const control = await runCommand(["dpkg-deb", "--field", path]);
    const name = fieldOf(control, "Package");
    if (name === UNWANTED) continue;
    await writeFile(join(status, name), control);
    const copyright = await readFile(join(root, "usr/share/doc", name, "copyright"), "utf8");
    const [version, architecture] = [fieldOf(control, "Version"), fieldOf(control, "Architecture")];
    packages.push({ name, version, architecture, copyright });
  }
  return packages;
}

function fieldOf(control: string, name: string): string {
  const [, value] = new RegExp(`^${name}: (.+)$`, "m").exec(control) ?? [];
  if (value === undefined) throw new Error(`A Debian package has no field ${name}:\n${control}`);
  return value;
}

async function writeAccounts(root: string): Promise<void> {
  const { name, id, home } = USER;
  const files = {
    passwd: `root:x:0:0:root:/root:/usr/sbin/nologin\n${name}:x:${id}:${id}::${home}:/usr/sbin/nologin\n`,
    group: `root:x:0:\n${name}:x:${id}:\n`,
    // Without this file, the C library asks DNS before /etc/hosts.
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
  };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(root, "etc", file), text, { mode: 0o644 });
  }
}
