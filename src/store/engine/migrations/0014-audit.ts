import { type Kysely, sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the audit log. It references no other table, because its entries outlive what they tell about. */
export const auditMigration: Migration = {
  number: 14,
  name: "audit",
  async up(database, engine) {
    const { schema } = database;
    await schema
      .createTable("audit_horizon")
      .addColumn("number", "integer", (column) => column.primaryKey().check(sql`number = 1`))
      .addColumn("deletable_before", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("audit_entries")
      .addColumn("id", engine.name === "sqlite" ? "integer" : "bigint", (column) => engine.identity(column))
      .addColumn("at", "bigint", (column) => column.notNull())
      .addColumn("action", "text", (column) => column.notNull())
      .addColumn("workspace_id", "text")
      .addColumn("workspace", "text")
      .addColumn("actor_id", "text")
      .addColumn("actor", "text")
      .addColumn("credential", "text", (column) => column.notNull())
      .addColumn("credential_id", "text")
      .addColumn("credential_name", "text")
      .addColumn("request_id", "text")
      .addColumn("address", "text")
      .addColumn("subject", "text")
      .addColumn("subject_id", "text")
      .addColumn("code", "text")
      .addColumn("title", "text")
      .addColumn("details", "text", (column) => column.notNull())
      .execute();
    await schema.createIndex("audit_by_workspace").on("audit_entries").columns(["workspace_id", "at", "id"]).execute();
    await schema.createIndex("audit_by_time").on("audit_entries").columns(["at", "id"]).execute();
    await (engine.name === "sqlite" ? guardSqlite(database) : guardPostgres(database));
  },
};

async function guardSqlite(database: Kysely<unknown>): Promise<void> {
  await sql`create trigger audit_entries_keep before update on audit_entries
    begin select raise(abort, 'audit entries cannot be changed'); end`.execute(database);
  await sql`create trigger audit_entries_stay before delete on audit_entries
    when not exists (select 1 from audit_horizon where old.at < deletable_before)
    begin select raise(abort, 'audit entries cannot be deleted'); end`.execute(database);
}

async function guardPostgres(database: Kysely<unknown>): Promise<void> {
  await sql`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' and exists (select 1 from audit_horizon where old.at < deletable_before) then return old; end if;
      raise exception 'audit entries cannot be changed or deleted';
    end $$`.execute(database);
  await sql`create trigger audit_entries_keep before update or delete on audit_entries
    for each row execute function refuse_audit_change()`.execute(database);
  await sql`create trigger audit_entries_stay before truncate on audit_entries
    for each statement execute function refuse_audit_change()`.execute(database);
}
