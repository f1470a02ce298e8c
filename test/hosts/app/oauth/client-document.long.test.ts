import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { run } from "../../../support/cli.ts";
import { describeIf } from "../../../support/skip.ts";

const SCENE = new URL("./document-scene.ts", import.meta.url).pathname;
/** Any public address will do: it leads nowhere but to the namespace. */
const ADDRESS = "1.1.1.1";
const IN_NAMESPACE = `ip link set lo up
ip address add ${ADDRESS}/32 dev lo
mount --bind "$HOSTS" /etc/hosts
exec "$@"`;

const outcome = z.object({ clientId: z.string(), consent: z.string(), tools: z.int(), fetched: z.int() });

function namespacesUnavailable(): string | undefined {
  const command = ["unshare", "--net", "--mount", "ip", "link", "set", "lo", "up"];
  return Bun.which("unshare") !== null && Bun.spawnSync(command).success
    ? undefined
    : "network namespaces need root, util-linux and iproute2";
}

describeIf("an app that is identified by a document on the internet", namespacesUnavailable(), () => {
  test("connects with the SDK's client, without registration", async () => {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
    const hosts = join(directory, "hosts");
    await Bun.write(hosts, `127.0.0.1 localhost\n${ADDRESS} app.example\n`);
    const scene = [process.execPath, "--no-env-file", SCENE, ADDRESS];
    const { stdout, stderr } = await run(["unshare", "--net", "--mount", "sh", "-ec", IN_NAMESPACE, "sh", ...scene], {
      environment: { HOSTS: hosts },
    });
    await rm(directory, { recursive: true });
    const last = stdout.trim().split("\n").at(-1) ?? "";
    if (!last.startsWith("{")) throw new Error(stderr);
    const found = outcome.parse(JSON.parse(last));
    expect(found).toMatchObject({ clientId: "https://app.example/client.json", fetched: 1 });
    expect(found.consent).toContain("Connect Documented agent to Vitrine?");
    expect(found.consent).toContain("The app is identified by <strong>app.example</strong>.");
    expect(found.tools).toBeGreaterThan(5);
  });
});
