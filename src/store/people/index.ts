import type { MovedTable } from "../engine/moving/tables.ts";
import { type Records, unrecorded } from "../model/records.ts";
import {
  recordDefaultVisibility,
  recordDisplayName,
  recordFirstUser,
  recordLink,
  recordOrganization,
  recordPlan,
  recordUser,
} from "./account-records.ts";
import {
  addMember,
  addOrganization,
  addUser,
  countUsers,
  findProfile,
  findRole,
  findUserBySlug,
  findWorkspace,
  listHoldings,
  setDefaultVisibility,
  setDisplayName,
  setPlan,
} from "./accounts.ts";
import { countAuthRows, createAuthRow, findAuthRows, removeAuthRows, updateAuthRows } from "./auth-records.ts";
import { findIdentity, hasUser, linkIdentity } from "./identities.ts";
import {
  acceptAsNewUser,
  acceptInvitation,
  addInvitation,
  findInvitation,
  listInvitations,
  revokeInvitation,
} from "./invitations.ts";
import {
  recordAcceptance,
  recordAdmission,
  recordInvitation,
  recordMember,
  recordNewMember,
  recordRemoval,
  recordRevokedInvitation,
  recordRole,
} from "./member-records.ts";
import { admitMember, listMembers, removeMember, setRole } from "./members.ts";
import { recordReplacement, recordReset, recordResetLink } from "./password-records.ts";
import {
  addPasswordReset,
  findEmailOwner,
  hasPasswordReset,
  redeemPasswordReset,
  replacePassword,
} from "./passwords.ts";
import {
  recordAuthChange,
  recordAuthRemoval,
  recordAuthRow,
  recordConfirmation,
  recordEnd,
  recordOthersEnded,
} from "./session-records.ts";
import {
  confirmSession,
  endOtherSessions,
  endSession,
  findSession,
  findSessionByRef,
  findSessionVersion,
  findStandings,
  listSessions,
} from "./sessions.ts";
import { addFirstUser, addSetUpLink, hasSetUpLink } from "./set-up.ts";

export const reads = {
  countUsers,
  findUserBySlug,
  findWorkspace,
  findRole,
  findProfile,
  listHoldings,
  listMembers,
  listInvitations,
  findInvitation,
  findIdentity,
  hasUser,
  findEmailOwner,
  hasPasswordReset,
  findSession,
  findSessionByRef,
  findSessionVersion,
  findStandings,
  listSessions,
  hasSetUpLink,
  findAuthRows,
  countAuthRows,
};
export const writes = {
  addUser,
  addOrganization,
  addMember,
  setPlan,
  setDisplayName,
  setDefaultVisibility,
  admitMember,
  setRole,
  removeMember,
  addInvitation,
  revokeInvitation,
  acceptInvitation,
  acceptAsNewUser,
  linkIdentity,
  addPasswordReset,
  redeemPasswordReset,
  replacePassword,
  endSession,
  endOtherSessions,
  confirmSession,
  addSetUpLink,
  addFirstUser,
  createAuthRow,
  updateAuthRows,
  removeAuthRows,
};

export const records: Records<typeof writes> = {
  addUser: recordUser,
  addOrganization: recordOrganization,
  addMember: recordMember,
  setPlan: recordPlan,
  setDisplayName: recordDisplayName,
  setDefaultVisibility: recordDefaultVisibility,
  admitMember: recordAdmission,
  setRole: recordRole,
  removeMember: recordRemoval,
  addInvitation: recordInvitation,
  revokeInvitation: recordRevokedInvitation,
  acceptInvitation: recordAcceptance,
  acceptAsNewUser: recordNewMember,
  linkIdentity: recordLink,
  addPasswordReset: recordResetLink,
  redeemPasswordReset: recordReset,
  replacePassword: recordReplacement,
  endSession: recordEnd,
  endOtherSessions: recordOthersEnded,
  confirmSession: recordConfirmation,
  addSetUpLink: unrecorded("A set-up link creates no account until someone uses it."),
  addFirstUser: recordFirstUser,
  createAuthRow: recordAuthRow,
  updateAuthRows: recordAuthChange,
  removeAuthRows: recordAuthRemoval,
};

export const tables: readonly MovedTable[] = [
  { name: "users", key: ["id"] },
  { name: "accounts", key: ["id"], pointsTo: ["users"] },
  { name: "sessions", key: ["id"], pointsTo: ["users"] },
  { name: "verifications", key: ["id"], isLeftByStart: true },
  { name: "workspaces", key: ["id"] },
  { name: "memberships", key: ["user_id", "workspace_id"], pointsTo: ["users", "workspaces"] },
  { name: "invitations", key: ["id"], pointsTo: ["users", "workspaces"] },
];
