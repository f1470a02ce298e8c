import type { Migration } from "../migrate.ts";
import { publishMigration } from "./0001-publish.ts";
import { accountsMigration } from "./0002-accounts.ts";
import { invitationsMigration } from "./0003-invitations.ts";
import { provenAddressesMigration } from "./0004-proven-addresses.ts";
import { orderMigration } from "./0005-order.ts";
import { requestKeysMigration } from "./0006-request-keys.ts";
import { standInsMigration } from "./0007-stand-ins.ts";
import { confirmedSessionsMigration } from "./0011-confirmed-sessions.ts";

/** All migrations, oldest first. One that has been released is never changed. */
export const migrations: readonly Migration[] = [
  publishMigration,
  accountsMigration,
  invitationsMigration,
  provenAddressesMigration,
  orderMigration,
  requestKeysMigration,
  standInsMigration,
  confirmedSessionsMigration,
];
