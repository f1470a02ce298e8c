import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Until now every user was made by the operator, who vouches for the address. */
export const provenAddressesMigration: Migration = {
  number: 4,
  name: "proven addresses",
  async up(database) {
    await sql`update users set email_verified = 1`.execute(database);
  },
};
