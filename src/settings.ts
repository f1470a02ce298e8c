import { isIP } from "node:net";
import { resolve } from "node:path";
import { isNetwork, LOOPBACK_NETWORKS } from "./domain/client-address.ts";
import { findClosest } from "./domain/closest-word.ts";
import { PLANS, type Plan, type Quotas } from "./domain/model/plans.ts";
import { type Environment, readS3, type S3Settings } from "./domain/s3-settings.ts";
import { SettingError } from "./domain/setting-error.ts";

export { SettingError };

export interface Settings {
  readonly dataDir: string;
  /** Addresses that both hosts bind. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly contentPort: number;
  /** Undefined: made from the port. */
  readonly baseUrl: string | undefined;
  readonly contentUrl: string | undefined;
  /** Undefined: SQLite in the data directory. */
  readonly databaseUrl: string | undefined;
  /** Connections to PostgreSQL at once, beside the one that listens. */
  readonly databaseConnections: number;
  /** Milliseconds that a query may take. */
  readonly databaseTimeout: number;
  /** Undefined: files in the data directory. */
  readonly s3: S3Settings | undefined;
  /** Bytes of the data directory that keep what was read from S3 near at hand; 0 means none. */
  readonly blobsCache: number;
  /** Days that an object must have been unreferenced before the sweep deletes it. */
  readonly orphanDays: number;
  readonly defaultPlan: Plan;
  readonly quotas: Quotas;
  /** Whether anyone may register. */
  readonly isSignUpOpen: boolean;
  /** Undefined: no single sign-on. */
  readonly oidc: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | undefined;
  /** API requests a minute and token; 0 means no limit. */
  readonly rateLimit: number;
  /** Open sockets of live links, and of users' pages: at once, and from one address; 0 means no limit. */
  readonly sockets: { readonly total: number; readonly perAddress: number };
  /** Addresses and networks of reverse proxies, which are believed whom a request comes from. */
  readonly trustedProxies: readonly string[];
  /** What signs sessions and tickets. Undefined: made on the first start and kept in the data directory. */
  readonly secret: string | undefined;
  /** Milliseconds for which a start waits for a database and a store that cannot be reached yet. */
  readonly startPatience: number;
  /** Milliseconds from when it is told to stop until it takes no more requests. */
  readonly stopDelay: number;
  /** Milliseconds from then on until requests that are still under way are cut off. */
  readonly stopGrace: number;
  /** Bytes to be left free where the data directory is, so that more than uploads goes on. */
  readonly diskReserve: number;
}

/** Every setting by its environment variable; flags of `vitrine serve` have the same names in lower case. */
export const SETTINGS = {
  VITRINE_DATA_DIR: { default: "./vitrine-data", help: "directory of the database and the published files" },
  VITRINE_HOST: { default: "loopback", help: "address that application and content host bind" },
  VITRINE_PORT: { default: "4000", help: "port of the application host; 0 takes any free one" },
  VITRINE_CONTENT_PORT: { default: "4001", help: "port of the content host; 0 takes any free one" },
  VITRINE_BASE_URL: { default: "http://localhost:PORT", help: "public address of the application host" },
  VITRINE_CONTENT_URL: {
    default: "http://127.0.0.1:CONTENT_PORT",
    help: "public address of the content host; its host name must be another one",
  },
  VITRINE_DATABASE_URL: { default: "SQLite in the data directory", help: "postgres://… for PostgreSQL" },
  VITRINE_DATABASE_CONNECTIONS: {
    default: "10",
    help: "connections to PostgreSQL at once, beside one that listens for changes",
  },
  VITRINE_DATABASE_TIMEOUT: {
    default: "15",
    help: "seconds until PostgreSQL counts as unreachable for the request that waits for it",
  },
  VITRINE_BLOBS_URL: {
    default: "files in the data directory",
    help: "s3://BUCKET/PREFIX?endpoint=…&region=… for an S3-compatible store, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; nobody else may write below the prefix",
  },
  VITRINE_BLOBS_CACHE: {
    default: "1GB",
    help: "room in the data directory for copies that spare requests to S3; 0 for none",
  },
  VITRINE_ORPHAN_DAYS: {
    default: "7",
    help: "days that a published file must have been unreferenced before the server deletes it",
  },
  VITRINE_DEFAULT_PLAN: { default: "pro", help: "plan of a new workspace: free or pro" },
  VITRINE_QUOTA_FREE: { default: "100MB", help: "stored bytes of a workspace on the free plan" },
  VITRINE_QUOTA_PRO: { default: "10GB", help: "stored bytes of a workspace on the pro plan" },
  VITRINE_SIGN_UP: { default: "closed", help: "closed or open; open lets anyone register" },
  VITRINE_OIDC_ISSUER: { default: "no single sign-on", help: "address of the OpenID Connect provider" },
  VITRINE_OIDC_CLIENT_ID: { default: "none", help: "name by which the provider knows this server" },
  VITRINE_OIDC_CLIENT_SECRET: { default: "none", help: "secret that proves to the provider which server it is" },
  VITRINE_RATE_LIMIT: { default: "1200", help: "API requests a minute and token; 0 for no limit" },
  VITRINE_SOCKETS: {
    default: "20000",
    help: "readers of live links, and as many pages of users, connected at once; 0 for no limit",
  },
  VITRINE_SOCKETS_PER_ADDRESS: { default: "500", help: "the same from one address; 0 for no limit" },
  VITRINE_TRUSTED_PROXIES: { default: "this machine", help: "proxies to believe, such as 10.0.0.0/8,fd00::1; or none" },
  VITRINE_SECRET: {
    default: "made on the first start, kept in the data directory",
    help: "signs sessions and private links; 32 characters or more, the same for all copies of the server",
  },
  VITRINE_DISK_RESERVE: {
    default: "100MB",
    help: "free space of the data directory's disk below which uploads are refused; 0 for none",
  },
  VITRINE_START_PATIENCE: {
    default: "60",
    help: "seconds for which a start waits for a database or store that can't be reached",
  },
  VITRINE_STOP_DELAY: {
    default: "0",
    help: "seconds from SIGTERM, when /-/ready turns to 503, until no more requests are taken",
  },
  VITRINE_STOP_GRACE: {
    default: "25",
    help: "seconds after that for which requests under way, such as uploads, may take to end",
  },
} as const;

const SECRET_CHARACTERS = 32;

export type SettingName = keyof typeof SETTINGS;

/** Of clients, and of this project's own tests. */
const OTHER_VARIABLES = /^VITRINE_(URL$|TOKEN$|TEST_)/;
const PREFIX = "VITRINE_";

/** Returns a warning for each environment variable that looks like a setting and is none. */
export function findUnknownSettings(environment: Environment): string[] {
  const known = Object.keys(SETTINGS).map((name) => name.slice(PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name) && !Object.hasOwn(SETTINGS, name))
    .map((name) => {
      const closest = findClosest(name.slice(PREFIX.length).toUpperCase(), known);
      const hint = closest === undefined ? "" : ` Did you mean ${PREFIX}${closest}?`;
      return `${name} is not a setting and has no effect.${hint}`;
    });
}

/** Reads all settings from environment variables. Throws `SettingError` on the first that is wrong. */
export function readSettings(environment: Environment): Settings {
  const read = (name: SettingName): string | undefined => environment[name]?.trim() || undefined;
  const integer = (name: SettingName, maximum: number, minimum = 0) => readInteger(name, read(name), maximum, minimum);
  const baseUrl = readUrl("VITRINE_BASE_URL", read("VITRINE_BASE_URL"));
  const contentUrl = readUrl("VITRINE_CONTENT_URL", read("VITRINE_CONTENT_URL"));
  refuseSharedCookies(baseUrl ?? "http://localhost", contentUrl ?? "http://127.0.0.1");
  return Object.freeze({
    dataDir: resolve(read("VITRINE_DATA_DIR") ?? SETTINGS.VITRINE_DATA_DIR.default),
    hosts: readHosts(read("VITRINE_HOST")),
    port: integer("VITRINE_PORT", 65_535),
    contentPort: integer("VITRINE_CONTENT_PORT", 65_535),
    baseUrl,
    contentUrl,
    databaseUrl: readDatabaseUrl(read("VITRINE_DATABASE_URL")),
    databaseConnections: integer("VITRINE_DATABASE_CONNECTIONS", 1_000, 1),
    databaseTimeout: integer("VITRINE_DATABASE_TIMEOUT", 3_600, 1) * 1_000,
    s3: readOwnS3(read("VITRINE_BLOBS_URL"), environment),
    blobsCache: readSize("VITRINE_BLOBS_CACHE", read("VITRINE_BLOBS_CACHE")),
    orphanDays: integer("VITRINE_ORPHAN_DAYS", 3_650),
    defaultPlan: readPlan(read("VITRINE_DEFAULT_PLAN")),
    quotas: Object.freeze({
      free: readSize("VITRINE_QUOTA_FREE", read("VITRINE_QUOTA_FREE")),
      pro: readSize("VITRINE_QUOTA_PRO", read("VITRINE_QUOTA_PRO")),
    }),
    isSignUpOpen: readSignUp(read("VITRINE_SIGN_UP")),
    oidc: readOidc(read),
    rateLimit: integer("VITRINE_RATE_LIMIT", 1_000_000_000),
    sockets: Object.freeze({
      total: integer("VITRINE_SOCKETS", 10_000_000),
      perAddress: integer("VITRINE_SOCKETS_PER_ADDRESS", 10_000_000),
    }),
    trustedProxies: readTrustedProxies(read("VITRINE_TRUSTED_PROXIES")),
    secret: readSecret(read("VITRINE_SECRET")),
    startPatience: integer("VITRINE_START_PATIENCE", 86_400) * 1_000,
    stopDelay: integer("VITRINE_STOP_DELAY", 3_600) * 1_000,
    stopGrace: integer("VITRINE_STOP_GRACE", 3_600) * 1_000,
    diskReserve: readSize("VITRINE_DISK_RESERVE", read("VITRINE_DISK_RESERVE")),
  });
}

function readHosts(value: string | undefined): readonly string[] {
  if (value === undefined) return ["127.0.0.1", "::1"];
  if (isIP(value) === 0 && value !== "localhost") {
    throw new SettingError(`VITRINE_HOST must be an IP address or localhost, not "${value}".`);
  }
  return value === "localhost" ? ["127.0.0.1", "::1"] : [value];
}

function readInteger(name: SettingName, value: string | undefined, maximum: number, minimum = 0): number {
  const text = value ?? SETTINGS[name].default;
  const number = Number(text);
  if (!/^\d{1,10}$/.test(text) || number > maximum || number < minimum) {
    throw new SettingError(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}".`);
  }
  return number;
}

function readUrl(name: SettingName, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isPlain = url && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new SettingError(`${name} must be an address such as https://reports.example.org, not "${value}".`);
  }
  return url.origin;
}

/** Browsers share cookies between the ports of one host name, so the two hosts need two names. */
function refuseSharedCookies(baseUrl: string, contentUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (hostname === new URL(contentUrl).hostname) {
    throw new SettingError(`VITRINE_CONTENT_URL must have another host name than VITRINE_BASE_URL ("${hostname}").`);
  }
}

function readDatabaseUrl(value: string | undefined): string | undefined {
  if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
    throw new SettingError("VITRINE_DATABASE_URL must start with postgres:// or be left out for SQLite.");
  }
  return value;
}

const readOwnS3 = (value: string | undefined, environment: Environment): S3Settings | undefined =>
  value === undefined ? undefined : readS3("VITRINE_BLOBS_URL", value, environment);

function readPlan(value: string | undefined): Plan {
  const plan = PLANS.find((candidate) => candidate === (value ?? SETTINGS.VITRINE_DEFAULT_PLAN.default));
  if (plan === undefined) throw new SettingError(`VITRINE_DEFAULT_PLAN must be free or pro, not "${value}".`);
  return plan;
}

function readSignUp(value: string | undefined): boolean {
  const signUp = value ?? SETTINGS.VITRINE_SIGN_UP.default;
  if (signUp !== "open" && signUp !== "closed") {
    throw new SettingError(`VITRINE_SIGN_UP must be closed or open, not "${signUp}".`);
  }
  return signUp === "open";
}

const OIDC_SETTINGS = ["VITRINE_OIDC_ISSUER", "VITRINE_OIDC_CLIENT_ID", "VITRINE_OIDC_CLIENT_SECRET"] as const;

function readOidc(read: (name: SettingName) => string | undefined): Settings["oidc"] {
  const [issuer, clientId, clientSecret] = OIDC_SETTINGS.map(read);
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return Object.freeze({ issuer: checkIssuer(issuer), clientId, clientSecret });
  }
  const missing = OIDC_SETTINGS.find((name) => read(name) === undefined);
  const given = OIDC_SETTINGS.find((name) => read(name) !== undefined);
  if (given === undefined) return undefined;
  throw new SettingError(`${missing} is missing: single sign-on needs it beside ${given}.`);
}

/** The client's secret and the users' codes go there, so the way has to be safe. */
function checkIssuer(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!isSafe || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new SettingError("VITRINE_OIDC_ISSUER must be an https address, or an http one of this machine.");
  }
  return value;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function readTrustedProxies(value: string | undefined): readonly string[] {
  if (value === undefined) return LOOPBACK_NETWORKS;
  if (value === "none") return [];
  const networks = value.split(",").map((network) => network.trim());
  const wrong = networks.find((network) => !isNetwork(network));
  if (wrong === undefined) return networks;
  throw new SettingError(`VITRINE_TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, not "${wrong}".`);
}

/** The value is not repeated in the message: it would end up in logs. */
function readSecret(value: string | undefined): string | undefined {
  if (value !== undefined && value.length < SECRET_CHARACTERS) {
    throw new SettingError(`VITRINE_SECRET must have at least ${SECRET_CHARACTERS} characters.`);
  }
  return value;
}

const UNITS: Readonly<Record<string, number>> = { "": 1, B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 };

function readSize(name: SettingName, value: string | undefined): number {
  const text = value ?? SETTINGS[name].default;
  const [, digits = "", unit = ""] = /^(\d{1,9})\s*([KMGT]?B?)$/i.exec(text) ?? [];
  const factor = UNITS[unit.toUpperCase()];
  const size = Number(digits) * (factor ?? Number.NaN);
  if (digits === "" || !Number.isSafeInteger(size)) {
    throw new SettingError(`${name} must be a size such as 500MB or 10GB, not "${text}".`);
  }
  return size;
}
