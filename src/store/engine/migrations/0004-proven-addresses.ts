import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Marks all email addresses as verified, because until now the operator created every user. */
export const provenAddressesMigration: Migration = {
  number: 4,
  name: "proven addresses",
  async up(database) {
    await sql`update users set email_verified = 1`.execute(database);
  },
};
