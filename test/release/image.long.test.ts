import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import packageJson from "../../package.json";
import { buildExecutable } from "../../scripts/building/executable.ts";
import { buildImage, type ImageSize } from "../../scripts/building/image.ts";
import { readSource } from "../../scripts/building/source.ts";
import { publish } from "../process/program.ts";
import { type Ended, run } from "../support/cli.ts";
import { findFreePort } from "../support/ports.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";

const LARGEST = 180e6;
const IMAGE = `vitrine:${packageJson.version}`;
const NAME = "vitrine-test";
const VOLUME = "vitrine-test-data";
const PROGRAM = "/usr/local/bin/vitrine";
const BUILDING = 600_000;

const TOOLS = ["buildah", "mmdebstrap", "podman", "runc"];

function unavailable(): string | undefined {
  if (process.getuid?.() !== 0) return "it takes root";
  const missing = TOOLS.filter((name) => Bun.which(name) === null);
  return missing.length > 0 ? `missing: ${missing.join(", ")}` : undefined;
}

const inspectedSchema = z.tuple([
  z.object({
    Architecture: z.string(),
    Os: z.string(),
    Config: z.object({
      User: z.string(),
      StopSignal: z.string(),
      Entrypoint: z.array(z.string()),
      Cmd: z.array(z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      Labels: z.record(z.string(), z.string()),
    }),
  }),
]);
const componentSchema = z
  .object({
    group: z.string().optional(),
    name: z.string(),
    version: z.string().optional(),
    purl: z.string().optional(),
  })
  .transform(({ group, name, ...rest }) => ({ ...rest, name: group === undefined ? name : `${group}/${name}` }));

describeIf("the container image", unavailable(), () => {
  let directory: string;
  let size: ImageSize;
  let ports: { app: number; content: number };
  const outfile = () => join(directory, "image.tar");
  const sbomFile = () => join(directory, "sbom.cdx.json");

  /** Runs podman with a storage of its own. runc, because crun refuses machines that mix versions of cgroups. */
  const podmanCommand = (...args: string[]) => [
    ...["podman", `--root=${directory}/storage`, `--runroot=${directory}/run`, "--storage-driver=vfs"],
    ...["--runtime=runc", "--cgroup-manager=cgroupfs", ...args],
  ];
  async function podman(...args: string[]): Promise<Ended> {
    const ended = await run(podmanCommand(...args));
    if (ended.code !== 0) throw new Error(`podman ${args.join(" ")} ended with ${ended.code}: ${ended.stderr}`);
    return ended;
  }

  beforeAll(async () => {
    // Podman refuses a directory for what runs with a path of more than 50 characters.
    directory = await mkdtemp(join(tmpdir(), "oci-"));
    const source = await readSource();
    const executable = join(directory, "vitrine");
    const metafile = await buildExecutable(executable);
    const options = { executable, metafile, source, outfile: outfile(), sbomFile: sbomFile() };
    size = await buildImage({ ...options, architecture: process.arch === "arm64" ? "arm64" : "x64" });
    // The way of Docker without containerd, and that of everything else.
    await podman("pull", "--quiet", `docker-archive:${outfile()}`);
    await podman("rmi", "--all");
    await podman("load", "--input", outfile());
    ports = { app: await findFreePort(), content: await findFreePort() };
  }, BUILDING);
  afterAll(async () => {
    await run(podmanCommand("rm", "--force", "--volumes", "--all"));
    await rm(directory, { recursive: true, force: true });
  });

  /** Starts a container as deploy/compose.yaml does: with a read-only root, a volume, /tmp and no capabilities. */
  async function start(): Promise<void> {
    await podman(
      ...["run", "--detach", `--name=${NAME}`, "--network=host", "--read-only", "--tmpfs=/tmp", "--cap-drop=ALL"],
      ...["--security-opt=no-new-privileges", "--ulimit=nofile=4096:4096", "--ulimit=nproc=4096:4096"],
      ...[`--volume=${VOLUME}:/var/lib/vitrine`, `--env=VITRINE_PORT=${ports.app}`],
      ...[`--env=VITRINE_CONTENT_PORT=${ports.content}`, "--env=VITRINE_HOST=127.0.0.1"],
      ...[`--health-cmd=${JSON.stringify([PROGRAM, "healthcheck"])}`, "--health-interval=disable", IMAGE],
    );
    // What Podman's timers would run.
    await until(async () => (await run(podmanCommand("healthcheck", "run", NAME))).code === 0);
  }

  const vitrine = async (line: string) => (await podman("exec", NAME, PROGRAM, ...line.split(" "))).stdout.trim();

  /** Stops the container and returns the exit code of the server. */
  async function stop(): Promise<string> {
    await podman("stop", "--time=60", NAME);
    const { stdout } = await podman("inspect", "--format={{.State.ExitCode}}", NAME);
    await podman("rm", NAME);
    return stdout.trim();
  }

  test("is small and says what it is", async () => {
    console.error(`The image has ${size.files} bytes, ${size.compressed} to download.`);
    expect(size.files).toBeLessThan(LARGEST);
    expect(size.compressed).toBeLessThan(size.files);
    const [image] = inspectedSchema.parse(JSON.parse((await podman("inspect", "--type=image", IMAGE)).stdout));
    expect(image).toMatchObject({
      Os: "linux",
      Config: {
        User: "10001:10001",
        StopSignal: "SIGTERM",
        Entrypoint: [PROGRAM],
        Cmd: ["serve"],
        Volumes: { "/var/lib/vitrine": {} },
      },
    });
    const { Labels: labels } = image.Config;
    expect(labels["org.opencontainers.image.version"]).toBe(packageJson.version);
    expect(labels["org.opencontainers.image.revision"]).toMatch(/^[0-9a-f]{40}$/);
  });

  test("has a health check for Docker", async () => {
    const layout = join(directory, "layout");
    await run(["mkdir", layout]);
    await run(["tar", "--extract", "--file", outfile(), "--directory", layout]);
    const blob = async (digest: string) =>
      JSON.parse(await readFile(join(layout, "blobs", digest.replace(":", "/")), "utf8"));
    const { manifests } = JSON.parse(await readFile(join(layout, "index.json"), "utf8"));
    const { config } = await blob(manifests[0].digest);
    expect((await blob(config.digest)).config.Healthcheck.Test).toEqual(["CMD", PROGRAM, "healthcheck"]);
  });

  test("lists what it contains", async () => {
    const bom: unknown = JSON.parse(await readFile(sbomFile(), "utf8"));
    const { components } = z.object({ components: z.array(componentSchema) }).parse(bom);
    const versions = new Map(components.map(({ name, version }) => [name, version]));
    const { dependencies } = packageJson;
    for (const name of ["hono", "zod", "react", "@mantine/core", "@scalar/fastify-api-reference", "bun"] as const)
      expect(versions.get(name)).toBe(dependencies[name]);
    expect(components.find(({ name }) => name === "libc6")?.purl).toStartWith("pkg:deb/debian/libc6@2.");
    // Only what the executable contains, no tools.
    expect(versions.has("typescript")).toBe(false);
    const unnamed = components.filter(({ name, version }) => version === undefined || name.includes(" "));
    expect(unnamed).toEqual([]);
  });

  test("publishes a report, stops on SIGTERM and has the report after the next start", async () => {
    await start();
    const { stdout: pid } = await podman("inspect", "--format={{.State.Pid}}", NAME);
    const status = await readFile(`/proc/${pid.trim()}/status`, "utf8");
    expect(/^Uid:\t(.*)$/m.exec(status)?.[1]).toBe("10001\t10001\t10001\t10001");
    expect(/^CapEff:\t(.*)$/m.exec(status)?.[1]).toBe("0000000000000000");
    const { stdout: mounts } = await run(["cat", `/proc/${pid.trim()}/mounts`]);
    expect(mounts).toMatch(/^\S+ \/ \S+ ro[, ]/m);

    await vitrine("users create --email ada@example.org --slug ada");
    const token = await vitrine("tokens create --user ada --scopes reports:read,reports:write");
    const upload = { files: [{ path: "index.html", content: "<title>T</title>" }], visibility: "public" };
    const { code } = await publish(`http://127.0.0.1:${ports.app}`, token, upload);
    const read = async () => (await fetch(`http://127.0.0.1:${ports.content}/${code}/`)).text();
    expect(await read()).toBe("<title>T</title>");
    const portal = await fetch(`http://127.0.0.1:${ports.app}/-/sign-in`, {
      headers: { Host: `localhost:${ports.app}` },
    });
    expect(portal.status).toBe(200);

    expect(await stop()).toBe("0");
    await start();
    expect(await read()).toBe("<title>T</title>");
    expect(await stop()).toBe("0");
  });
});
