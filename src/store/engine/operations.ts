import { fileItems, tagItems } from "../cabinet/batches.ts";
import {
  addDrawer,
  addFolder,
  deleteDrawer,
  deleteFolder,
  moveFolder,
  renameDrawer,
  renameFolder,
  setDefaultFolder,
} from "../cabinet/cabinet.ts";
import { addShortcut, removeShortcut } from "../cabinet/shortcuts.ts";
import { addTag, deleteTag, moveTag, renameTag } from "../cabinet/tags.ts";
import { claimInstallation } from "../operations/installation.ts";
import { writeProbe } from "../operations/probes.ts";
import {
  confirmHold,
  forgetAllOrphans,
  forgetOrphans,
  holdSweep,
  markSwept,
  noteOrphans,
  releaseHold,
  removeExpired,
  removeOrphans,
} from "../operations/sweep.ts";
import { addMember, addOrganization, addUser, setDisplayName, setPlan } from "../people/accounts.ts";
import { createAuthRow, removeAuthRows, updateAuthRows } from "../people/auth-records.ts";
import { linkIdentity } from "../people/identities.ts";
import { acceptAsNewUser, acceptInvitation, addInvitation, revokeInvitation } from "../people/invitations.ts";
import { admitMember, removeMember, setRole } from "../people/members.ts";
import { confirmSession, endOtherSessions, endSession } from "../people/sessions.ts";
import { addFirstUser, replaceSetUpLink } from "../people/set-up.ts";
import { publish } from "../publishing/publish.ts";
import { deleteItem, deleteVersion } from "../reports/deletion.ts";
import { deleteItems, restoreItems } from "../reports/deletions.ts";
import { rename, setFolder, setItemVisibility, setLatest, setVersionVisibility } from "../reports/items.ts";
import { addToken, removeToken, removeTokens, touchToken } from "../tokens/tokens.ts";
import type { Database } from "./schema.ts";

/**
 * Everything that writes. Each is one transaction, takes plain data and gives plain data back, so that it can run in
 * the thread that owns the writing connection.
 */
const operations = {
  publish,
  rename,
  setLatest,
  setFolder,
  setItemVisibility,
  setVersionVisibility,
  deleteItem,
  deleteVersion,
  deleteItems,
  restoreItems,
  addDrawer,
  renameDrawer,
  deleteDrawer,
  addFolder,
  renameFolder,
  moveFolder,
  deleteFolder,
  setDefaultFolder,
  addTag,
  renameTag,
  moveTag,
  deleteTag,
  fileItems,
  tagItems,
  addShortcut,
  removeShortcut,
  addToken,
  removeToken,
  removeTokens,
  touchToken,
  addUser,
  addOrganization,
  addMember,
  setPlan,
  setDisplayName,
  endSession,
  endOtherSessions,
  confirmSession,
  admitMember,
  setRole,
  removeMember,
  addInvitation,
  revokeInvitation,
  acceptInvitation,
  acceptAsNewUser,
  linkIdentity,
  replaceSetUpLink,
  addFirstUser,
  createAuthRow,
  updateAuthRows,
  removeAuthRows,
  claimInstallation,
  markSwept,
  removeExpired,
  writeProbe,
  noteOrphans,
  forgetOrphans,
  forgetAllOrphans,
  removeOrphans,
  holdSweep,
  releaseHold,
  confirmHold,
};

type Operations = typeof operations;
export type OperationName = keyof Operations;
export type InputOf<Name extends OperationName> = Parameters<Operations[Name]>[1];
export type OutputOf<Name extends OperationName> = Awaited<ReturnType<Operations[Name]>>;

/** Runs an operation in a transaction that is durable when the promise resolves. */
export type Write = <Name extends OperationName>(name: Name, input: InputOf<Name>) => Promise<OutputOf<Name>>;

/** Runs an operation on a connection with an open transaction. */
export function perform<Name extends OperationName>(
  database: Database,
  name: Name,
  input: InputOf<Name>,
): Promise<OutputOf<Name>> {
  // The compiler cannot tie one member's input to the same member's output across a union of functions.
  const operation = operations[name] as unknown as (
    database: Database,
    input: InputOf<Name>,
  ) => Promise<OutputOf<Name>>;
  return operation(database, input);
}
