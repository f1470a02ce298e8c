import type { AuditEvent } from "../../domain/model/audit.ts";
import type { NewUser } from "../../domain/people/ports.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import {
  type addOrganization,
  type addUser,
  findWorkspace,
  type setDefaultVisibility,
  type setDisplayName,
  type setPlan,
} from "./accounts.ts";
import type { linkIdentity } from "./identities.ts";
import type { addFirstUser } from "./set-up.ts";

export const userCreation = ({ id, workspaceId, slug, proof }: NewUser): AuditEvent => ({
  action: "user.create",
  workspaceId,
  // People who register act for themselves.
  actorId: id,
  subject: slug,
  subjectId: id,
  details: { sign_in: "passwordHash" in proof ? "password" : "single sign-on" },
});

export const recordUser: RecorderOf<typeof addUser> = (_, user) => () => [userCreation(user)];

export const recordFirstUser: RecorderOf<typeof addFirstUser> =
  (_, { user }) =>
  () => [userCreation(user)];

export const recordOrganization: RecorderOf<typeof addOrganization> = async (database, organization) => {
  const { id, slug, ownerId, plan } = organization;
  const owner = await findUserLabel(database, ownerId);
  const details = { owner: owner?.slug ?? ownerId, plan };
  return () => [{ action: "organization.create", workspaceId: id, subject: slug, subjectId: id, details }];
};

export const recordPlan: RecorderOf<typeof setPlan> = async (database, { slug, plan }) => {
  const workspace = await findWorkspace(database, slug);
  if (workspace === undefined || workspace.plan === plan) return () => [];
  const { id, plan: from } = workspace;
  const details = { from, to: plan };
  return () => [{ action: "workspace.set_plan", workspaceId: id, subject: slug, subjectId: id, details }];
};

export const recordDisplayName: RecorderOf<typeof setDisplayName> = async (database, { workspaceId, displayName }) => {
  const workspace = await database
    .selectFrom("workspaces")
    .select(["slug", "display_name"])
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return (isChanged) => {
    if (!isChanged || workspace === undefined) return [];
    const details = { from: workspace.display_name, to: displayName };
    return [{ action: "workspace.rename", workspaceId, subject: workspace.slug, subjectId: workspaceId, details }];
  };
};

export const recordDefaultVisibility: RecorderOf<typeof setDefaultVisibility> = async (
  database,
  { workspaceId, visibility },
) => {
  const workspace = await database
    .selectFrom("workspaces")
    .select(["slug", "default_visibility"])
    .where("id", "=", workspaceId)
    .executeTakeFirst();
  return (isChanged) => {
    if (!isChanged || workspace === undefined) return [];
    const { slug: subject } = workspace;
    const details = { from: workspace.default_visibility ?? "private", to: visibility };
    return [{ action: "workspace.set_default_visibility", workspaceId, subject, subjectId: workspaceId, details }];
  };
};

export const recordLink: RecorderOf<typeof linkIdentity> =
  (database, { issuer }) =>
  async (linked) => {
    if (linked === undefined) return [];
    const { userId, wasVerified } = linked;
    const user = await findUserLabel(database, userId);
    return [
      {
        action: "identity.link",
        workspaceId: user?.workspaceId ?? null,
        actorId: userId,
        subject: user?.slug ?? null,
        subjectId: userId,
        details: { issuer, other_credentials_removed: !wasVerified },
      },
    ];
  };
