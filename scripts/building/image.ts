import { chmod, chown, copyFile, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { writeTar } from "./archives.ts";
import { ROOT, runCommand } from "./commands.ts";
import { makeSystem, USER } from "./debian.ts";
import { finishLayout } from "./layout.ts";
import { writeSbom } from "./sbom.ts";
import { dateOf, type Source } from "./source.ts";

/** Architectures as in the names of Bun's targets, and what Debian and OCI call them. */
export const ARCHITECTURES = { x64: "amd64", arm64: "arm64" } as const;
export type Architecture = keyof typeof ARCHITECTURES;

const PROGRAM = "/usr/local/bin/vitrine";
const DOCUMENTS = "/usr/share/doc/vitrine";

interface ImageOptions {
  architecture: Architecture;
  /** The path of the executable for this architecture, and what Bun told about the modules in it. */
  executable: string;
  metafile: Bun.BuildMetafile;
  source: Source;
  /** The path of the OCI archive to write. */
  outfile: string;
  /** The path of the inventory of the image to write. */
  sbomFile: string;
}

export interface ImageSize {
  /** Bytes of the files in the image. */
  files: number;
  /** Bytes to download. */
  compressed: number;
}

/** Installs what builds images, as root on Debian. Exits elsewhere. */
export async function requireImageTools(): Promise<void> {
  const child = Bun.spawn(["node", join(ROOT, "scripts/system-packages.mjs"), "image"], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await child.exited;
  if (code !== 0) process.exit(code);
}

/** Builds a container image and writes it as an OCI archive. Needs root on Debian, buildah and mmdebstrap. */
export async function buildImage(options: ImageOptions): Promise<ImageSize> {
  const { architecture, source, outfile } = options;
  const directory = await mkdtemp(join(tmpdir(), "vitrine-image-"));
  // Separate storage keeps builds apart from each other and from the images of this machine.
  const storage = [`--root=${directory}/storage`, `--runroot=${directory}/run`, "--storage-driver=vfs"];
  const buildah = async (...args: string[]) => {
    const environment = { BUILDAH_ISOLATION: "chroot" };
    return (await runCommand(["buildah", ...storage, ...args], { environment })).trim();
  };
  try {
    const container = await buildah("from", `--arch=${ARCHITECTURES[architecture]}`, "scratch");
    const root = await buildah("mount", container);
    await fill(root, options);
    const files = await sizeOf(root);
    await buildah("unmount", container);
    await buildah("config", ...configuration(options), container);
    const layout = join(directory, "layout");
    const name = `vitrine:${source.version}`;
    const timestamp = `--timestamp=${source.epoch}`;
    await buildah(
      "commit",
      "--quiet",
      "--format=oci",
      "--disable-compression=false",
      timestamp,
      container,
      `oci:${layout}:${name}`,
    );
    const compressed = await finishLayout(layout, { name, healthcheck: [PROGRAM, "healthcheck"] });
    await writeTar(outfile, { directory: layout, names: (await readdir(layout)).toSorted(), source });
    return { files, compressed };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fill(
  root: string,
  { architecture, executable, metafile, source, sbomFile }: ImageOptions,
): Promise<void> {
  const debian = await makeSystem(root, ARCHITECTURES[architecture], source);
  const sbom = await writeSbom({ source, metafile, debian });
  await Bun.write(sbomFile, sbom);
  for (const path of ["usr/local/bin", DOCUMENTS]) await mkdir(join(root, path), { recursive: true });
  await copyFile(executable, join(root, PROGRAM));
  await chmod(join(root, PROGRAM), 0o755);
  await copyFile(join(ROOT, "LICENSE"), join(root, DOCUMENTS, "LICENSE"));
  await Bun.write(join(root, DOCUMENTS, "sbom.cdx.json"), sbom);
  // Engines give a new volume the owner and the mode of the directory it is mounted on.
  await mkdir(join(root, USER.home), { recursive: true });
  await chmod(join(root, USER.home), 0o700);
  await chown(join(root, USER.home), USER.id, USER.id);
}

function configuration({ architecture, source }: ImageOptions): string[] {
  const facts = {
    title: "Vitrine",
    description: packageJson.description,
    version: source.version,
    licenses: packageJson.license,
    created: dateOf(source),
    revision: source.commit,
  };
  const marks = Object.entries(facts).map(([name, value]) => `org.opencontainers.image.${name}=${value}`);
  const settings = {
    VITRINE_DATA_DIR: USER.home,
    VITRINE_HOST: "0.0.0.0",
    VITRINE_PORT: "4000",
    VITRINE_CONTENT_PORT: "4001",
  };
  return [
    "--os=linux",
    `--arch=${ARCHITECTURES[architecture]}`,
    `--user=${USER.id}:${USER.id}`,
    `--workingdir=${USER.home}`,
    "--env=PATH=/usr/local/bin:/usr/bin",
    ...Object.entries(settings).map(([name, value]) => `--env=${name}=${value}`),
    "--port=4000/tcp",
    "--port=4001/tcp",
    `--volume=${USER.home}`,
    `--entrypoint=["${PROGRAM}"]`,
    "--cmd=serve",
    "--stop-signal=SIGTERM",
    ...marks.flatMap((mark) => [`--label=${mark}`, `--annotation=${mark}`]),
  ];
}

async function sizeOf(directory: string): Promise<number> {
  const output = await runCommand(["du", "--summarize", "--apparent-size", "--block-size=1", directory]);
  return Number.parseInt(output, 10);
}
