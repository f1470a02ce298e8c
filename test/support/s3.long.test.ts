import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { createBucket, s3Unavailable } from "./s3.ts";
import { describeIf } from "./skip.ts";
import { until } from "./until.ts";

describeIf("S3 for tests", s3Unavailable(), () => {
  test("buckets of one server are apart", async () => {
    const [first, second] = await Promise.all([createBucket(), createBucket()]);
    expect(second.endpoint).toBe(first.endpoint);
    await first.client.write("a", "first");
    expect(await first.client.file("a").text()).toBe("first");
    expect(await second.client.exists("a")).toBe(false);
  });

  test.each(["SIGKILL", "SIGTERM"] as const)("a server ends with the process that started it (%s)", async (signal) => {
    const program = `
      const { createBucket } = await import("${import.meta.dir}/s3.ts");
      console.log((await createBucket()).endpoint);
      setInterval(() => {}, 1000);`;
    const { VITRINE_TEST_S3: _, ...environment } = process.env;
    const owner = Bun.spawn([process.execPath, "-e", program], { env: environment, stdout: "pipe", stderr: "inherit" });
    const directories = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`vitrine-s3-${owner.pid}-`));
    const { value } = await owner.stdout.getReader().read();
    const endpoint = new TextDecoder().decode(value).trim();
    expect((await fetch(endpoint)).status).toBe(200);
    expect(directories()).toHaveLength(1);
    owner.kill(signal);
    await owner.exited;
    await until(() => directories().length === 0);
    expect(await fetch(endpoint).catch(() => "gone")).toBe("gone");
  });
});
