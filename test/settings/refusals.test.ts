import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findUnknownSettings, readSettings } from "../../src/settings/settings.ts";
import { SETTINGS } from "../../src/settings/table.ts";
import { errorOf } from "./error-of.ts";

describe("a wrong setting is named in one line", () => {
  test.each([
    ["VITRINE_HOST", "reports.example.org"],
    ["VITRINE_HOST", "256.0.0.1"],
    ["VITRINE_PORT", "-1"],
    ["VITRINE_PORT", "65536"],
    ["VITRINE_PORT", "80a"],
    ["VITRINE_PORT", "8e1"],
    ["VITRINE_CONTENT_PORT", "4001.5"],
    ["VITRINE_BASE_URL", "reports.example.org"],
    ["VITRINE_BASE_URL", "ftp://reports.example.org"],
    ["VITRINE_BASE_URL", "https://reports.example.org/vitrine"],
    ["VITRINE_BASE_URL", "https://reports.example.org/?a"],
    ["VITRINE_BASE_URL", "https://user@reports.example.org"],
    ["VITRINE_CONTENT_URL", "https://content.example.org/#a"],
    ["VITRINE_DATABASE_URL", "mysql://db/vitrine"],
    ["VITRINE_DATABASE_URL", "/var/lib/vitrine.db"],
    ["VITRINE_BLOBS_URL", "https://reports.example.org"],
    ["VITRINE_BLOBS_URL", "s3:reports"],
    ["VITRINE_BLOBS_URL", "s3://"],
    ["VITRINE_BLOBS_URL", "s3://reports:9000"],
    ["VITRINE_BLOBS_URL", "s3://reports/a%20b"],
    ["VITRINE_BLOBS_URL", "s3://reports#a"],
    ["VITRINE_BLOBS_URL", "s3://reports?endpoint=store:9000"],
    ["VITRINE_BLOBS_URL", "s3://reports?endpoint="],
    ["VITRINE_BLOBS_URL", "s3://reports?bucket=b"],
    ["VITRINE_BLOBS_CACHE", "lots"],
    ["VITRINE_ORPHAN_DAYS", "a week"],
    ["VITRINE_ORPHAN_DAYS", "3651"],
    ["VITRINE_SCRUB_DAYS", "-1"],
    ["VITRINE_DEFAULT_PLAN", "gold"],
    ["VITRINE_DEFAULT_PLAN", "Pro"],
    ["VITRINE_QUOTA_FREE", "many"],
    ["VITRINE_QUOTA_FREE", "-1MB"],
    ["VITRINE_QUOTA_PRO", "1.5GB"],
    ["VITRINE_QUOTA_PRO", "10XB"],
    ["VITRINE_QUOTA_PRO", "999999999TB"],
    ["VITRINE_SIGN_UP", "yes"],
    ["VITRINE_SIGN_UP", "Open"],
    ["VITRINE_RATE_LIMIT", "unlimited"],
    ["VITRINE_DATABASE_CONNECTIONS", "0"],
    ["VITRINE_DATABASE_CONNECTIONS", "1001"],
    ["VITRINE_DATABASE_TIMEOUT", "0"],
    ["VITRINE_STOP_DELAY", "1.5"],
    ["VITRINE_STOP_GRACE", "-1"],
    ["VITRINE_START_PATIENCE", "1m"],
    ["VITRINE_BACKUP_EVERY", "daily"],
    ["VITRINE_BACKUP_EVERY", "0h"],
    ["VITRINE_BACKUP_KEEP", "-1"],
    ["VITRINE_DISK_RESERVE", "some"],
    ["VITRINE_TRUSTED_PROXIES", "10.0.0.0/8, localhost"],
    ["VITRINE_SECRET", "0123456789abcdef0123456789abcde"],
    ["VITRINE_LOG_LEVEL", "verbose"],
    ["VITRINE_LOG_FORMAT", "JSON"],
    ["VITRINE_REQUEST_LOG", "on"],
    ["VITRINE_SLOW_REQUEST", "500"],
    ["VITRINE_SLOW_REQUEST", "1.5s"],
    ["VITRINE_SLOW_QUERY", "fast"],
    ["VITRINE_METRICS_PORT", "none"],
    ["VITRINE_METRICS_HOST", "metrics.example.org"],
    ["VITRINE_METRICS_TOKEN", "0123456789abcde"],
    ["VITRINE_METRICS_TOKEN", "0123456789 abcdef"],
  ])("%s=%s", (name, value) => {
    expect(errorOf({ [name]: value })).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
  });

  test("whatever it is", () => {
    const name = fc.constantFrom(...Object.keys(SETTINGS));
    fc.assert(
      fc.property(name, fc.string({ unit: "grapheme-ascii" }), (variable, value) => {
        const message = errorOf({ [variable]: value });
        if (message !== "") expect(message).toMatch(/^VITRINE_[A-Z_]+ [^\n]+\.$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test.each([
    [{ VITRINE_BASE_URL: "https://a.example.org", VITRINE_CONTENT_URL: "https://a.example.org:8443" }],
    [{ VITRINE_BASE_URL: "https://a.example.org", VITRINE_CONTENT_URL: "http://A.EXAMPLE.ORG" }],
    [{ VITRINE_BASE_URL: "http://127.0.0.1" }],
    [{ VITRINE_CONTENT_URL: "http://localhost:9" }],
  ])("two hosts with one name, which would share their cookies: %j", (environment: Record<string, string>) => {
    expect(errorOf(environment)).toMatch(/^VITRINE_CONTENT_URL must have a different host name/);
  });

  const OIDC = {
    VITRINE_OIDC_ISSUER: "https://login.example.org",
    VITRINE_OIDC_CLIENT_ID: "vitrine",
    VITRINE_OIDC_CLIENT_SECRET: "hunter2",
  };

  test.each(Object.keys(OIDC))("single sign-on without %s", (missing) => {
    const message = errorOf({ ...OIDC, [missing]: " " });
    expect(message).toMatch(new RegExp(`^${missing} is missing: [^\\n]+\\.$`));
    expect(message).not.toContain("hunter2");
  });

  test.each([
    "login.example.org",
    "http://login.example.org",
    "http://127.0.0.1.example.org",
    "http://localhost.example.org",
    "ftp://login.example.org",
    "https://login.example.org/?realm=one",
    "https://login.example.org/#one",
    "https://user:hunter2@login.example.org",
  ])("a provider at %s", (issuer) => {
    const message = errorOf({ ...OIDC, VITRINE_OIDC_ISSUER: issuer });
    expect(message).toMatch(/^VITRINE_OIDC_ISSUER must be [^\n]+\.$/);
    expect(message).not.toContain("hunter2");
  });

  test.each(["https://login.example.org", "http://localhost:8080/realms/one", "http://127.0.0.1:9", "http://[::1]:9"])(
    "but not a provider at %s",
    (issuer) => {
      expect(readSettings({ ...OIDC, VITRINE_OIDC_ISSUER: issuer }).oidc).toMatchObject({ issuer });
    },
  );

  test("a password in the database's address is not repeated", () => {
    expect(errorOf({ VITRINE_DATABASE_URL: "mysql://user:hunter2@db/vitrine" })).not.toContain("hunter2");
  });

  test.each(["VITRINE_SECRET", "VITRINE_METRICS_TOKEN"])("a %s that is too short is not repeated", (name) => {
    expect(errorOf({ [name]: "hunter2" })).not.toContain("hunter2");
  });
});

describe("environment variables that look like settings", () => {
  test.each([
    ["VITRINE_DATABSE_URL", "VITRINE_DATABASE_URL"],
    ["VITRINE_DATA_DIRECTORY", "VITRINE_DATA_DIR"],
    ["VITRINE_PROT", "VITRINE_PORT"],
    ["VITRINE_QUOTA", "VITRINE_QUOTA_PRO"],
    ["VITRINE_Port", "VITRINE_PORT"],
  ])("%s is answered with %s", (name, closest) => {
    expect(findUnknownSettings({ [name]: "x" })).toEqual([
      `${name} isn't a setting and has no effect. Did you mean ${closest}?`,
    ]);
  });

  test("and resemble none are named without a suggestion", () => {
    expect(findUnknownSettings({ VITRINE_COLOUR_OF_BUTTONS: "x" })).toEqual([
      "VITRINE_COLOUR_OF_BUTTONS isn't a setting and has no effect.",
    ]);
  });

  test("are ignored if they are known or have other prefixes", () => {
    const settings = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, "x"]));
    const others = { VITRINE_URL: "x", VITRINE_TOKEN: "x", VITRINE_TEST_ALL: "1", VITRINEX: "x", PATH: "x" };
    expect(findUnknownSettings({ ...settings, ...others })).toEqual([]);
  });
});
