/** All settings by environment variable. The flags of `vitrine serve` have the same names in lower case. */
export const SETTINGS = {
  VITRINE_DATA_DIR: { default: "./vitrine-data", help: "directory of the database and the published files" },
  VITRINE_HOST: { default: "loopback", help: "address that the application host and the content host bind" },
  VITRINE_PORT: { default: "4000", help: "port of the application host; 0 for any free port" },
  VITRINE_CONTENT_PORT: { default: "4001", help: "port of the content host; 0 for any free port" },
  VITRINE_BASE_URL: { default: "http://localhost:PORT", help: "public address of the application host" },
  VITRINE_CONTENT_URL: {
    default: "http://127.0.0.1:CONTENT_PORT",
    help: "public address of the content host; must have a different host name",
  },
  VITRINE_DATABASE_URL: { default: "SQLite in the data directory", help: "postgres://… for PostgreSQL" },
  VITRINE_DATABASE_CONNECTIONS: {
    default: "10",
    help: "maximum connections to PostgreSQL, plus one for changes and one for background tasks",
  },
  VITRINE_DATABASE_TIMEOUT: {
    default: "15",
    help: "seconds a request waits for PostgreSQL before it fails",
  },
  VITRINE_BLOBS_URL: {
    default: "files in the data directory",
    help: "s3://BUCKET/PREFIX?endpoint=…&region=… for an S3-compatible store, with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY; no other program may write below the prefix",
  },
  VITRINE_BLOBS_CACHE: {
    default: "1GB",
    help: "size of the cache in the data directory for files from S3; 0 for none",
  },
  VITRINE_ORPHAN_DAYS: {
    default: "7",
    help: "days before the server deletes a file that no report refers to",
  },
  VITRINE_SCRUB_DAYS: {
    default: "30",
    help: "days in which the server reads every published file once to find damage; 0 to turn this off",
  },
  VITRINE_TRASH_DAYS: {
    default: "30",
    help: "days before the server deletes a report in the trash permanently; 0 for no trash",
  },
  VITRINE_AUDIT_DAYS: {
    default: "365",
    help: "days before the server deletes an entry of the audit log; 0 to keep all",
  },
  VITRINE_DEFAULT_PLAN: { default: "pro", help: "plan of a new workspace: free or pro" },
  VITRINE_QUOTA_FREE: { default: "100MB", help: "stored bytes of a workspace on the free plan" },
  VITRINE_QUOTA_PRO: { default: "10GB", help: "stored bytes of a workspace on the pro plan" },
  VITRINE_SIGN_UP: { default: "closed", help: "closed or open; open lets anyone create an account" },
  VITRINE_OIDC_ISSUER: { default: "no single sign-on", help: "address of the OpenID Connect provider" },
  VITRINE_OIDC_CLIENT_ID: { default: "none", help: "client ID of this server at the provider" },
  VITRINE_OIDC_CLIENT_SECRET: { default: "none", help: "client secret of this server at the provider" },
  VITRINE_SMTP_URL: {
    default: "no mail",
    help: "smtp://USER:PASSWORD@HOST:587 or smtps://…:465, to mail links that reset passwords; ?tls=off for a server without TLS",
  },
  VITRINE_SMTP_FROM: {
    default: "none",
    help: "sender of mails, such as vitrine@example.org; required with VITRINE_SMTP_URL",
  },
  VITRINE_RATE_LIMIT: { default: "1200", help: "API requests per minute and token; 0 for no limit" },
  VITRINE_SOCKETS: {
    default: "20000",
    help: "maximum open connections of live links, and separately of portal pages; 0 for no limit",
  },
  VITRINE_SOCKETS_PER_ADDRESS: { default: "500", help: "maximum of each kind from one client address; 0 for no limit" },
  VITRINE_TRUSTED_PROXIES: {
    default: "this machine",
    help: "reverse proxies to trust, such as 10.0.0.0/8,fd00::1; or none",
  },
  VITRINE_SECRET: {
    default: "created on first start, kept in the data directory",
    help: "signs sessions and private links; at least 32 characters, the same on all replicas",
  },
  VITRINE_DISK_RESERVE: {
    default: "100MB",
    help: "free space on the data directory's disk below which uploads are refused; 0 for none",
  },
  VITRINE_BACKUP_TARGET: {
    default: "no scheduled backups",
    help: "directory or s3://… into which the server backs up, as vitrine backup does",
  },
  VITRINE_BACKUP_EVERY: { default: "24h", help: "time between two scheduled backups, such as 24h, 30m or 7d" },
  VITRINE_BACKUP_KEEP: { default: "7", help: "number of the newest backups to keep; 0 for all" },
  VITRINE_START_PATIENCE: {
    default: "60",
    help: "seconds to wait on start for a database or store that can't be reached",
  },
  VITRINE_STOP_DELAY: {
    default: "0",
    help: "seconds after SIGTERM, when /-/ready turns to 503, before the server refuses new requests",
  },
  VITRINE_STOP_GRACE: {
    default: "25",
    help: "seconds after the delay for open requests, such as uploads, to finish",
  },
  VITRINE_LOG_LEVEL: { default: "info", help: "least important level to log: debug, info, warn or error" },
  VITRINE_LOG_FORMAT: { default: "auto", help: "json, text, or auto for text on a terminal and JSON elsewhere" },
  VITRINE_REQUEST_LOG: {
    default: "app",
    help: "requests to log: off, app for the application host, or all to add published files",
  },
  VITRINE_SLOW_REQUEST: {
    default: "5s",
    help: "time from which a request is logged as slow, such as 500ms; 0 for never",
  },
  VITRINE_SLOW_QUERY: {
    default: "1s",
    help: "time from which a database call is logged as slow, such as 200ms; 0 for never",
  },
  VITRINE_METRICS_PORT: {
    default: "none",
    help: "port that serves Prometheus metrics at /-/metrics; 0 for any free port",
  },
  VITRINE_METRICS_HOST: { default: "loopback", help: "address that the metrics port binds" },
  VITRINE_METRICS_TOKEN: {
    default: "none",
    help: "bearer token for metrics; also serves them on the application host; at least 16 characters",
  },
} as const;

export type SettingName = keyof typeof SETTINGS;
