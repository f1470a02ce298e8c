import type { Migration } from "../migrate.ts";
import { publishMigration } from "./0001-publish.ts";
import { accountsMigration } from "./0002-accounts.ts";
import { invitationsMigration } from "./0003-invitations.ts";
import { provenAddressesMigration } from "./0004-proven-addresses.ts";
import { orderMigration } from "./0005-order.ts";
import { requestKeysMigration } from "./0006-request-keys.ts";
import { standInsMigration } from "./0007-stand-ins.ts";
import { installationMigration } from "./0008-installation.ts";
import { deletionsMigration } from "./0009-deletions.ts";
import { longFolderLabelsMigration } from "./0010-long-folder-labels.ts";
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
  installationMigration,
  deletionsMigration,
  longFolderLabelsMigration,
  confirmedSessionsMigration,
];
