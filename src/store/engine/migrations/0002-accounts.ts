import { type Kysely, sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the tables of sign-in: passwords and identities, sessions, and single-use secrets. */
export const accountsMigration: Migration = {
  number: 2,
  name: "accounts",
  async up(database) {
    await extendUsers(database);
    await createAccounts(database);
    await movePasswords(database);
    await createSessions(database);
    await createVerifications(database);
  },
};

async function extendUsers(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .alterTable("users")
    .addColumn("email_verified", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable("users").addColumn("image", "text").execute();
  await schema
    .alterTable("users")
    .addColumn("updated_at", "bigint", (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update users set updated_at = created_at`.execute(database);
}

async function createAccounts(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable("accounts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("provider_id", "text", (column) => column.notNull())
    .addColumn("account_id", "text", (column) => column.notNull())
    .addColumn("password", "text")
    .addColumn("access_token", "text")
    .addColumn("refresh_token", "text")
    .addColumn("id_token", "text")
    .addColumn("access_token_expires_at", "bigint")
    .addColumn("refresh_token_expires_at", "bigint")
    .addColumn("scope", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("accounts_of_provider", ["provider_id", "account_id"])
    .execute();
  await schema.createIndex("accounts_of_user").on("accounts").column("user_id").execute();
}

async function movePasswords(database: Kysely<unknown>): Promise<void> {
  await sql`
    insert into accounts (id, user_id, provider_id, account_id, password, created_at, updated_at)
    select 'acc_' || id, id, 'credential', id, password_hash, created_at, created_at
    from users where password_hash is not null`.execute(database);
  await database.schema.alterTable("users").dropColumn("password_hash").execute();
}

async function createSessions(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable("sessions")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("ref", "text", (column) => column.notNull().unique())
    .addColumn("token", "text", (column) => column.notNull().unique())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("ip_address", "text")
    .addColumn("user_agent", "text")
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
}

async function createVerifications(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable("verifications")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("identifier", "text", (column) => column.notNull())
    .addColumn("value", "text", (column) => column.notNull())
    .addColumn("expires_at", "bigint", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("verifications_of_identifier").on("verifications").column("identifier").execute();
}
