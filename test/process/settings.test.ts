import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vitrine } from "../support/cli.ts";
import { createBucket, missingBucket, s3Unavailable } from "../support/s3.ts";
import { startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

describe("wrong settings", () => {
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
    await Bun.write(join(directory, "file"), "");
    await Bun.write(join(directory, "report", "index.html"), "<title>T</title>");
  });
  afterAll(() => rm(directory, { recursive: true }));

  const environmentWith = (wanted: Record<string, string>) => ({
    VITRINE_DATA_DIR: join(directory, "data"),
    VITRINE_PORT: "0",
    VITRINE_CONTENT_PORT: "0",
    ...wanted,
  });

  async function expectRefused(args: readonly string[], environment: Record<string, string>, name: string) {
    const { code, stdout, stderr } = await vitrine(args, { environment: environmentWith(environment), directory });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^vitrine: [^\n]+\n$/);
    expect(stderr).toMatch(new RegExp(`^vitrine: (${name}:? |[^\n]*\\(${name}\\)\\.)`));
    return stderr;
  }

  test.each([
    ["VITRINE_DATA_DIR", "file"],
    ["VITRINE_DATA_DIR", "file/below"],
    ["VITRINE_DATA_DIR", "/proc/vitrine"],
    ["VITRINE_HOST", "nowhere"],
    ["VITRINE_HOST", "192.0.2.1"],
    ["VITRINE_HOST", "127.0.0.1:4000"],
    ["VITRINE_PORT", "http"],
    ["VITRINE_PORT", "-1"],
    ["VITRINE_PORT", "65536"],
    ["VITRINE_CONTENT_PORT", "1.5"],
    ["VITRINE_CONTENT_PORT", "0x10"],
    ["VITRINE_BASE_URL", "localhost:4000"],
    ["VITRINE_BASE_URL", "https://example.org/reports"],
    ["VITRINE_BASE_URL", "https://user@example.org"],
    ["VITRINE_CONTENT_URL", "ftp://example.org"],
    ["VITRINE_CONTENT_URL", "http://localhost:9"],
    ["VITRINE_DATABASE_URL", "mysql://localhost/vitrine"],
    ["VITRINE_BLOBS_URL", "file:///srv/reports"],
    ["VITRINE_BLOBS_CACHE", "lots"],
    ["VITRINE_DEFAULT_PLAN", "gold"],
    ["VITRINE_QUOTA_FREE", "lots"],
    ["VITRINE_QUOTA_FREE", "-1"],
    ["VITRINE_QUOTA_PRO", "10 bananas"],
    ["VITRINE_TRUSTED_PROXIES", "proxy.example.org"],
    ["VITRINE_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["VITRINE_TRUSTED_PROXIES", "10.0.0.1,,::1"],
    ["VITRINE_QUOTA_PRO", "1e3"],
    ["VITRINE_SIGN_UP", "perhaps"],
    ["VITRINE_RATE_LIMIT", "often"],
  ])("%s=%s: exit 2 and one line that names it", async (name, value) => {
    await expectRefused(["serve"], { [name]: value }, name);
  });

  test("an S3 store without credentials is refused", async () => {
    const VITRINE_BLOBS_URL = "s3://reports?endpoint=http://127.0.0.1:9";
    await expectRefused(["serve"], { VITRINE_BLOBS_URL }, "AWS_ACCESS_KEY_ID");
    await expectRefused(["serve", "--blobs-url", VITRINE_BLOBS_URL], {}, "AWS_ACCESS_KEY_ID");
  });

  describeIf("of S3", s3Unavailable(), () => {
    test("a missing bucket and wrong credentials: one line that says which", async () => {
      const there = await createBucket();
      const lost = await missingBucket();
      const wrong = there.environment({ secretAccessKey: "wrong" });
      const unknown = { ...there.environment(), AWS_ACCESS_KEY_ID: "unknown" };
      expect(await expectRefused(["serve"], lost.environment(), "VITRINE_BLOBS_URL")).toContain(
        "there is no bucket at ",
      );
      for (const environment of [wrong, unknown]) {
        const stderr = await expectRefused(["serve"], environment, "VITRINE_BLOBS_URL");
        expect(stderr).toContain("rejects AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
      }
    });
  });

  test("both addresses with one host name are refused", async () => {
    const addresses = { VITRINE_BASE_URL: "http://example.org", VITRINE_CONTENT_URL: "http://example.org:81" };
    await expectRefused(["serve"], addresses, "VITRINE_CONTENT_URL");
  });

  const OIDC = { VITRINE_OIDC_ISSUER: "https://login.example.org", VITRINE_OIDC_CLIENT_ID: "vitrine" };

  test("incomplete settings for single sign-on are refused", async () => {
    await expectRefused(["serve"], OIDC, "VITRINE_OIDC_CLIENT_SECRET");
    await expectRefused(["serve", "--oidc-client-secret", "s"], { VITRINE_OIDC_CLIENT_ID: "v" }, "VITRINE_OIDC_ISSUER");
  });

  test("a provider with an insecure address is refused", async () => {
    const unsafe = { ...OIDC, VITRINE_OIDC_ISSUER: "http://login.example.org", VITRINE_OIDC_CLIENT_SECRET: "s" };
    await expectRefused(["serve"], unsafe, "VITRINE_OIDC_ISSUER");
  });

  test("a flag means the same as its variable, and takes precedence", async () => {
    await expectRefused(["serve", "--port", "http"], { VITRINE_PORT: "0" }, "VITRINE_PORT");
  });

  test("administration commands use the same settings", async () => {
    const create = ["users", "create", "--init", "--email", "a@example.org", "--slug", "ada"];
    await expectRefused(create, { VITRINE_DEFAULT_PLAN: "gold" }, "VITRINE_DEFAULT_PLAN");
  });

  test.each([
    ["VITRINE_URL", "nonsense"],
    ["VITRINE_URL", "localhost:4000"],
    ["VITRINE_URL", "ftp://example.org"],
    ["VITRINE_TOKEN", "vtr_a b"],
    ["VITRINE_TOKEN", "vtr_a\nb"],
    ["VITRINE_TOKEN", "vtr_é"],
  ])("%s=%p for a client: exit 2 and one line that names it", async (name, value) => {
    await expectRefused(["publish", "report"], { [name]: value }, name);
  });

  test("--url means the same as VITRINE_URL", async () => {
    await expectRefused(["publish", "report", "--url", "nonsense"], { VITRINE_URL: "http://localhost:4000" }, "--url");
  });

  test("a port that is in use is refused, for either host", async () => {
    await using service = await startService();
    const port = new URL(service.baseUrl).port;
    await expectRefused(["serve"], { VITRINE_PORT: port }, "VITRINE_PORT");
    await expectRefused(["serve"], { VITRINE_CONTENT_PORT: port }, "VITRINE_CONTENT_PORT");
  });

  test("one port for both hosts is refused", async () => {
    const service = await startService();
    const { port } = new URL(service.baseUrl);
    await service[Symbol.asyncDispose]();
    await expectRefused(["serve"], { VITRINE_PORT: port, VITRINE_CONTENT_PORT: port }, "VITRINE_CONTENT_PORT");
  });
});
