import type { Migration } from "../migrate.ts";

/**
 * Creates the tables of OAuth: programs that registered themselves, what users granted to programs, the codes and refresh
 * tokens of a grant, and sign-ins of devices. An access token of a grant is an access token like any other.
 */
export const oauthMigration: Migration = {
  number: 26,
  name: "oauth",
  async up({ schema }) {
    await schema
      .createTable("oauth_clients")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("redirect_uris", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("used_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("oauth_clients_by_use").on("oauth_clients").column("used_at").execute();
    await schema
      .createTable("oauth_grants")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("client_id", "text", (column) => column.notNull())
      .addColumn("client_name", "text", (column) => column.notNull())
      .addColumn("scopes", "text", (column) => column.notNull())
      .addColumn("resource", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("refreshed_at", "bigint")
      .execute();
    await schema.createIndex("oauth_grants_of_user").on("oauth_grants").column("user_id").execute();
    await schema.createIndex("oauth_grants_of_workspace").on("oauth_grants").column("workspace_id").execute();
    await schema.createIndex("oauth_grants_by_expiry").on("oauth_grants").column("expires_at").execute();
    await schema
      .createTable("oauth_secrets")
      .addColumn("hash", "text", (column) => column.primaryKey())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("grant_id", "text", (column) => column.notNull().references("oauth_grants.id").onDelete("cascade"))
      .addColumn("redirect_uri", "text")
      .addColumn("challenge", "text")
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("used_at", "bigint")
      .execute();
    await schema.createIndex("oauth_secrets_of_grant").on("oauth_secrets").column("grant_id").execute();
    await schema
      .createTable("oauth_devices")
      .addColumn("hash", "text", (column) => column.primaryKey())
      .addColumn("user_code", "text", (column) => column.notNull().unique())
      .addColumn("name", "text", (column) => column.notNull())
      .addColumn("requested", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("poll_after", "bigint", (column) => column.notNull())
      .addColumn("pause", "bigint", (column) => column.notNull())
      .addColumn("answer", "text")
      .addColumn("user_id", "text", (column) => column.references("users.id").onDelete("cascade"))
      .addColumn("workspace_id", "text", (column) => column.references("workspaces.id").onDelete("cascade"))
      .addColumn("scopes", "text")
      .execute();
    await schema.createIndex("oauth_devices_by_expiry").on("oauth_devices").column("expires_at").execute();
    await schema.createIndex("oauth_devices_of_user").on("oauth_devices").column("user_id").execute();
    await schema.createIndex("oauth_devices_of_workspace").on("oauth_devices").column("workspace_id").execute();
    await schema
      .alterTable("tokens")
      .addColumn("grant_id", "text", (column) => column.references("oauth_grants.id").onDelete("cascade"))
      .execute();
    await schema.createIndex("tokens_of_grant").on("tokens").column("grant_id").execute();
  },
};
