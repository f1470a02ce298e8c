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

export type SettingName = keyof typeof SETTINGS;
