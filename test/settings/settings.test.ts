import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { readSettings, type Settings } from "../../src/settings/settings.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { errorOf } from "./error-of.ts";

const MEBIBYTE = 1024 ** 2;

/** Shows networks as text. */
const shown = ({ trustedProxies, ...others }: Settings) => ({
  ...others,
  trustedProxies: trustedProxies.map(([address, bits]) => `${address}/${bits}`),
});

const AWS = { AWS_ACCESS_KEY_ID: "key", AWS_SECRET_ACCESS_KEY: "secret" };

describe("settings", () => {
  test("have defaults for everything", () => {
    expect(shown(readSettings({}))).toEqual({
      dataDir: join(process.cwd(), "vitrine-data"),
      hosts: ["127.0.0.1", "::1"],
      port: 4000,
      contentPort: 4001,
      baseUrl: undefined,
      contentUrl: undefined,
      databaseUrl: undefined,
      databaseConnections: 10,
      databaseTimeout: 15_000,
      s3: undefined,
      blobsCache: 1024 * MEBIBYTE,
      trashDays: 30,
      auditDays: 365,
      orphanDays: 7,
      scrubDays: 30,
      defaultPlan: "pro",
      quotas: { free: 100 * MEBIBYTE, pro: 10 * 1024 * MEBIBYTE },
      isSignUpOpen: false,
      oidc: undefined,
      smtp: undefined,
      rateLimit: 1200,
      sockets: { total: 20_000, perAddress: 500 },
      trustedProxies: ["127.0.0.0/8", "::1/128"],
      secret: undefined,
      backup: undefined,
      startPatience: 60_000,
      stopDelay: 0,
      stopGrace: 25_000,
      diskReserve: 100 * MEBIBYTE,
      log: { level: "info", format: "auto", requests: "app", slowRequest: 5_000, slowQuery: 1_000 },
      metrics: { port: undefined, hosts: ["127.0.0.1", "::1"], token: undefined },
      tracing: undefined,
    });
  });

  test("that are blank count as absent", () => {
    const blank = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, " "]));
    expect(readSettings(blank)).toEqual(readSettings({}));
  });

  test("are read from the environment, ignoring blanks around them", () => {
    const settings = readSettings({
      VITRINE_DATA_DIR: " /srv/vitrine ",
      VITRINE_HOST: "0.0.0.0",
      VITRINE_PORT: "0",
      VITRINE_CONTENT_PORT: "65535",
      VITRINE_BASE_URL: "https://Reports.Example.org/",
      VITRINE_CONTENT_URL: "https://content.example.org:8443",
      VITRINE_DATABASE_URL: "postgresql://db/vitrine",
      VITRINE_DATABASE_CONNECTIONS: "25",
      VITRINE_DATABASE_TIMEOUT: "2",
      VITRINE_BLOBS_URL: "s3://reports//of/ours/?endpoint=http%3A%2F%2Fstore%3A9000%2F&region=eu-1",
      VITRINE_BLOBS_CACHE: "5MB",
      VITRINE_ORPHAN_DAYS: "0",
      VITRINE_SCRUB_DAYS: "0",
      AWS_ACCESS_KEY_ID: " key ",
      AWS_SECRET_ACCESS_KEY: "secret ",
      AWS_SESSION_TOKEN: "session",
      VITRINE_DEFAULT_PLAN: "free",
      VITRINE_QUOTA_FREE: "1kb",
      VITRINE_QUOTA_PRO: "2 TB",
      VITRINE_SIGN_UP: "open",
      VITRINE_OIDC_ISSUER: " https://login.example.org/realms/one ",
      VITRINE_OIDC_CLIENT_ID: " vitrine",
      VITRINE_OIDC_CLIENT_SECRET: "hunter2 ",
      VITRINE_SMTP_URL: "smtp://mailer:p%40ss@mail.example.org",
      VITRINE_SMTP_FROM: " Vitrine <vitrine@example.org> ",
      VITRINE_RATE_LIMIT: "0",
      VITRINE_SOCKETS: "0",
      VITRINE_SOCKETS_PER_ADDRESS: "7",
      VITRINE_TRUSTED_PROXIES: " 10.0.0.0/8, 2001:db8::1 ",
      VITRINE_SECRET: " 0123456789abcdef0123456789abcdef ",
      VITRINE_DISK_RESERVE: "1GB",
      VITRINE_BACKUP_TARGET: " /mnt/backups ",
      VITRINE_BACKUP_EVERY: "30m",
      VITRINE_BACKUP_KEEP: "0",
      VITRINE_START_PATIENCE: "0",
      VITRINE_STOP_DELAY: "5",
      VITRINE_STOP_GRACE: "90",
      VITRINE_LOG_LEVEL: " warn ",
      VITRINE_LOG_FORMAT: "text",
      VITRINE_REQUEST_LOG: "all",
      VITRINE_SLOW_REQUEST: "2m",
      VITRINE_SLOW_QUERY: "50ms",
      VITRINE_METRICS_PORT: "0",
      VITRINE_METRICS_HOST: "10.0.0.1",
      VITRINE_METRICS_TOKEN: " 0123456789abcdef ",
    });
    expect(shown(settings)).toEqual({
      dataDir: "/srv/vitrine",
      hosts: ["0.0.0.0"],
      port: 0,
      contentPort: 65_535,
      baseUrl: "https://reports.example.org",
      contentUrl: "https://content.example.org:8443",
      databaseUrl: "postgresql://db/vitrine",
      databaseConnections: 25,
      databaseTimeout: 2_000,
      s3: {
        bucketUrl: "http://store:9000/reports",
        prefix: "of/ours/",
        region: "eu-1",
        accessKeyId: "key",
        secretAccessKey: "secret",
        sessionToken: "session",
      },
      blobsCache: 5 * MEBIBYTE,
      trashDays: 30,
      auditDays: 365,
      orphanDays: 0,
      scrubDays: 0,
      defaultPlan: "free",
      quotas: { free: 1024, pro: 2 * 1024 ** 4 },
      isSignUpOpen: true,
      oidc: { issuer: "https://login.example.org/realms/one", clientId: "vitrine", clientSecret: "hunter2" },
      smtp: {
        host: "mail.example.org",
        port: 587,
        encryption: "starttls",
        credentials: { user: "mailer", password: "p@ss" },
        from: "Vitrine <vitrine@example.org>",
      },
      rateLimit: 0,
      sockets: { total: 0, perAddress: 7 },
      trustedProxies: ["10.0.0.0/8", "2001:db8::1/128"],
      secret: "0123456789abcdef0123456789abcdef",
      backup: { target: "/mnt/backups", every: 30 * 60_000, keep: 0 },
      startPatience: 0,
      stopDelay: 5_000,
      stopGrace: 90_000,
      diskReserve: 1024 * MEBIBYTE,
      log: { level: "warn", format: "text", requests: "all", slowRequest: 120_000, slowQuery: 50 },
      metrics: { port: 0, hosts: ["10.0.0.1"], token: "0123456789abcdef" },
      tracing: undefined,
    });
  });

  test("can't be changed", () => {
    const settings = readSettings({});
    expect(Object.isFrozen(readSettings({ ...AWS, VITRINE_BLOBS_URL: "s3://reports" }).s3)).toBe(true);
    expect(Object.isFrozen(settings) && Object.isFrozen(settings.quotas)).toBe(true);
  });

  test.each([
    ["localhost", ["127.0.0.1", "::1"]],
    ["::1", ["::1"]],
    ["10.0.0.1", ["10.0.0.1"]],
  ])("the host %s binds %j", (host, addresses) => {
    expect(readSettings({ VITRINE_HOST: host }).hosts).toEqual(addresses);
  });

  test.each([
    ["1", 1],
    ["500B", 500],
    ["5kb", 5 * 1024],
    ["100MB", 100 * MEBIBYTE],
    ["10 GB", 10 * 1024 * MEBIBYTE],
  ])("a size of %s is %i bytes", (text, bytes) => {
    expect(readSettings({ VITRINE_QUOTA_PRO: text }).quotas.pro).toBe(bytes);
  });
});

describe("an S3 store", () => {
  const s3Of = (url: string, environment: Record<string, string> = {}) =>
    readSettings({ ...AWS, VITRINE_BLOBS_URL: url, ...environment }).s3;

  test.each([
    ["s3://reports", "https://reports.s3.us-east-1.amazonaws.com"],
    ["s3://reports?region=eu-central-1", "https://reports.s3.eu-central-1.amazonaws.com"],
    ["s3://our.reports", "https://s3.us-east-1.amazonaws.com/our.reports"],
    ["s3://reports?endpoint=http://[::1]:9000", "http://[::1]:9000/reports"],
    ["s3://reports?endpoint=https://example.org/store/", "https://example.org/store/reports"],
  ])("of %s is at %s", (url, bucketUrl) => {
    expect(s3Of(url)).toMatchObject({ bucketUrl, prefix: "", sessionToken: undefined });
  });

  test("is in the region of its address, otherwise in that of AWS_REGION", () => {
    const environment = { AWS_REGION: "eu-2" };
    expect(s3Of("s3://reports", environment)).toMatchObject({
      region: "eu-2",
      bucketUrl: "https://reports.s3.eu-2.amazonaws.com",
    });
    expect(s3Of("s3://reports?region=eu-3", environment)).toMatchObject({ region: "eu-3" });
  });

  test.each(["s3://reports/a", "s3://reports/a/", "s3://reports//a"])("may have a prefix: %s", (url) => {
    expect(s3Of(url)).toMatchObject({ prefix: "a/" });
  });

  test.each(["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])("needs %s", (name) => {
    expect(errorOf({ ...AWS, VITRINE_BLOBS_URL: "s3://reports", [name]: " " })).toStartWith(`${name} is missing. `);
  });

  test("doesn't repeat credentials from the wrong place", () => {
    for (const url of ["s3://key:hunter2@reports", "s3://reports?endpoint=https://key:hunter2@example.org"]) {
      expect(errorOf({ ...AWS, VITRINE_BLOBS_URL: url })).toStartWith("VITRINE_BLOBS_URL ");
      expect(errorOf({ ...AWS, VITRINE_BLOBS_URL: url })).not.toContain("hunter2");
    }
  });
});
