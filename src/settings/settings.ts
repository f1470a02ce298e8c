import { resolve } from "node:path";
import { PLANS, type Plan, type Quotas } from "../domain/model/plans.ts";
import { findClosest } from "./closest-word.ts";
import { type LogSettings, type MetricsSettings, readHosts, readLog, readMetrics } from "./observability.ts";
import { type OidcSettings, readOidc } from "./oidc.ts";
import { type Network, readTrustedProxies } from "./proxies.ts";
import { type Environment, readS3, type S3Settings } from "./s3.ts";
import { SettingError } from "./setting-error.ts";
import { readSmtp, type SmtpSettings } from "./smtp.ts";
import { SETTINGS, type SettingName } from "./table.ts";
import { readTracing, type TracingSettings } from "./tracing.ts";
import { readDuration, readInteger, readSize, readUrl } from "./values.ts";

export type { LogSettings, MetricsSettings } from "./observability.ts";

export interface Settings {
  readonly dataDir: string;
  /** Addresses that both hosts bind. */
  readonly hosts: readonly string[];
  readonly port: number;
  readonly contentPort: number;
  /** Undefined: derived from the port. */
  readonly baseUrl: string | undefined;
  readonly contentUrl: string | undefined;
  /** Undefined: SQLite in the data directory. */
  readonly databaseUrl: string | undefined;
  /** Maximum connections to PostgreSQL, not counting the one that listens. */
  readonly databaseConnections: number;
  /** Milliseconds that a query may take. */
  readonly databaseTimeout: number;
  /** Undefined: files in the data directory. */
  readonly s3: S3Settings | undefined;
  /** Bytes of the cache for objects from S3; 0 means no cache. */
  readonly blobsCache: number;
  /** Days that an object must be unreferenced before the sweep deletes it. */
  readonly orphanDays: number;
  /** Days in which the scrub reads every object once; 0 means no scrub. */
  readonly scrubDays: number;
  /** Days that the trash keeps deleted reports; 0 means that deletions are permanent. */
  readonly trashDays: number;
  /** Days that the audit log keeps an entry; 0 means for ever. */
  readonly auditDays: number;
  readonly defaultPlan: Plan;
  readonly quotas: Quotas;
  /** Whether anyone may create an account. */
  readonly isSignUpOpen: boolean;
  /** Undefined: no single sign-on. */
  readonly oidc: OidcSettings | undefined;
  /** Undefined: no mail. */
  readonly smtp: SmtpSettings | undefined;
  /** API requests per minute and token; 0 means no limit. */
  readonly rateLimit: number;
  /** Maximum open sockets of live links, and separately of portal pages; 0 means no limit. */
  readonly sockets: { readonly total: number; readonly perAddress: number };
  /** Reverse proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly Network[];
  /** Signs sessions and tickets. Undefined: created on first start and kept in the data directory. */
  readonly secret: string | undefined;
  /** Milliseconds that a start waits for a database and a store that cannot be reached yet. */
  readonly startPatience: number;
  /** Milliseconds between the signal to stop and the end of accepting requests. */
  readonly stopDelay: number;
  /** Milliseconds after that before open requests are cut off. */
  readonly stopGrace: number;
  /** Scheduled backups; undefined for none. */
  readonly backup: BackupSettings | undefined;
  /** Bytes that uploads leave free on the data directory's disk, so that everything else keeps working. */
  readonly diskReserve: number;
  readonly log: LogSettings;
  readonly metrics: MetricsSettings;
  /** Undefined: traces are passed on but not exported. */
  readonly tracing: TracingSettings | undefined;
}

interface BackupSettings {
  /** A directory or an S3 address. */
  readonly target: string;
  /** Milliseconds between the starts of two backups. */
  readonly every: number;
  /** The number of newest backups to keep; 0 keeps all. */
  readonly keep: number;
}

const SECRET_CHARACTERS = 32;

/** Variables of the clients and of this project's tests. */
const OTHER_VARIABLES = /^VITRINE_(URL$|TOKEN$|TEST_)/;
const PREFIX = "VITRINE_";

/** Returns a warning for each environment variable that looks like a setting but is not one. */
export function findUnknownSettings(environment: Environment): string[] {
  const known = Object.keys(SETTINGS).map((name) => name.slice(PREFIX.length));
  return Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !OTHER_VARIABLES.test(name) && !Object.hasOwn(SETTINGS, name))
    .map((name) => {
      const closest = findClosest(name.slice(PREFIX.length).toUpperCase(), known);
      const hint = closest === undefined ? "" : ` Did you mean ${PREFIX}${closest}?`;
      return `${name} isn't a setting and has no effect.${hint}`;
    });
}

/** Reads all settings from environment variables. Throws `SettingError` for the first invalid one. */
export function readSettings(environment: Environment): Settings {
  const read = (name: SettingName): string | undefined => environment[name]?.trim() || undefined;
  const integer = (name: SettingName, maximum: number, minimum = 0) => readInteger(name, read(name), maximum, minimum);
  const baseUrl = readUrl("VITRINE_BASE_URL", read("VITRINE_BASE_URL"));
  const contentUrl = readUrl("VITRINE_CONTENT_URL", read("VITRINE_CONTENT_URL"));
  refuseSharedCookies(baseUrl ?? "http://localhost", contentUrl ?? "http://127.0.0.1");
  return Object.freeze({
    dataDir: resolve(read("VITRINE_DATA_DIR") ?? SETTINGS.VITRINE_DATA_DIR.default),
    hosts: readHosts("VITRINE_HOST", read("VITRINE_HOST")),
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
    scrubDays: integer("VITRINE_SCRUB_DAYS", 3_650),
    trashDays: integer("VITRINE_TRASH_DAYS", 3_650),
    auditDays: integer("VITRINE_AUDIT_DAYS", 36_500),
    defaultPlan: readPlan(read("VITRINE_DEFAULT_PLAN")),
    quotas: Object.freeze({
      free: readSize("VITRINE_QUOTA_FREE", read("VITRINE_QUOTA_FREE")),
      pro: readSize("VITRINE_QUOTA_PRO", read("VITRINE_QUOTA_PRO")),
    }),
    isSignUpOpen: readSignUp(read("VITRINE_SIGN_UP")),
    oidc: readOidc(read),
    smtp: readSmtp(read),
    rateLimit: integer("VITRINE_RATE_LIMIT", 1_000_000_000),
    sockets: Object.freeze({
      total: integer("VITRINE_SOCKETS", 10_000_000),
      perAddress: integer("VITRINE_SOCKETS_PER_ADDRESS", 10_000_000),
    }),
    trustedProxies: readTrustedProxies(read("VITRINE_TRUSTED_PROXIES")),
    secret: readSecret(read("VITRINE_SECRET")),
    backup: readBackup(read),
    startPatience: integer("VITRINE_START_PATIENCE", 86_400) * 1_000,
    stopDelay: integer("VITRINE_STOP_DELAY", 3_600) * 1_000,
    stopGrace: integer("VITRINE_STOP_GRACE", 3_600) * 1_000,
    diskReserve: readSize("VITRINE_DISK_RESERVE", read("VITRINE_DISK_RESERVE")),
    log: readLog(read),
    metrics: readMetrics(read),
    tracing: readTracing(environment),
  });
}

/** Throws if both hosts have one host name, because browsers share cookies between the ports of a host name. */
function refuseSharedCookies(baseUrl: string, contentUrl: string): void {
  const { hostname } = new URL(baseUrl);
  if (hostname === new URL(contentUrl).hostname) {
    throw new SettingError(
      `VITRINE_CONTENT_URL must have a different host name from VITRINE_BASE_URL ("${hostname}").`,
    );
  }
}

function readDatabaseUrl(value: string | undefined): string | undefined {
  if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
    throw new SettingError("VITRINE_DATABASE_URL must start with postgres://. Remove it to use SQLite.");
  }
  return value;
}

const readOwnS3 = (value: string | undefined, environment: Environment): S3Settings | undefined =>
  value === undefined ? undefined : readS3("VITRINE_BLOBS_URL", value, environment);

function readBackup(read: (name: SettingName) => string | undefined): BackupSettings | undefined {
  const target = read("VITRINE_BACKUP_TARGET");
  const every = readDuration("VITRINE_BACKUP_EVERY", read("VITRINE_BACKUP_EVERY"));
  if (every === 0) throw new SettingError("VITRINE_BACKUP_EVERY must be longer than 0.");
  const keep = readInteger("VITRINE_BACKUP_KEEP", read("VITRINE_BACKUP_KEEP"), 999_999);
  return target === undefined ? undefined : Object.freeze({ target, every, keep });
}

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

/** Returns the secret. The error does not quote it, because errors end up in logs. */
function readSecret(value: string | undefined): string | undefined {
  if (value !== undefined && value.length < SECRET_CHARACTERS) {
    throw new SettingError(`VITRINE_SECRET must have at least ${SECRET_CHARACTERS} characters.`);
  }
  return value;
}
