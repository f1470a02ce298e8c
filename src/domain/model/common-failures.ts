import type { Caller, Item } from "./entities.ts";
import { conflict, type Failure, invalid, notFound } from "./failure.ts";
import { quote } from "./quote.ts";

/** The most workspaces that a message names. */
const NAMED_WORKSPACES = 5;

// A "not found" message doesn't reveal whether something exists that the caller can't access.

/** Returns the failure for a report that a request names or, if it has a code, for a version. */
export const reportNotFound = (reference: { name: string } | { code: string }): Failure =>
  "name" in reference
    ? notFound(`Report ${quote(reference.name)} not found. Check the name and that you have access.`)
    : notFound(`Version ${quote(reference.code)} not found. Check the code and that you have access.`);

/** Returns the failure for a report that was deleted meanwhile. */
export const itemNotFound = ({ name, currentCode }: Pick<Item, "name" | "currentCode">): Failure =>
  reportNotFound(name === null ? { code: currentCode } : { name });

/** Returns the failure for a file of a version that the caller can access. */
export const fileNotFound = (path: string, code: string): Failure =>
  notFound(`File ${quote(path)} not found in version ${quote(code)}. Check the file name.`);

/** Returns the failure for a code that is not a version of the report. */
export const codeOfOtherReport = (code: string, name: string): Failure =>
  invalid(`code ${quote(code)} isn't a version of report ${quote(name)}. Use the code of one of its versions.`);

/** Returns the failure for a name in use. Doesn't name the workspace, which the caller may not have access to. */
export const nameTaken = (name: string): Failure => conflict(`The name "${name}" is taken. Choose another name.`);

/** Returns the failure for a name that a report in another workspace of the caller has. */
export const nameTakenIn = (name: string, owner: string): Failure =>
  conflict(
    `The name "${name}" is taken by a report in your workspace "${owner}". To publish a version of it, set owner to "${owner}". For a new report, choose another name.`,
  );

/** Returns the failure for a workspace that the caller isn't a member of, or that doesn't exist. Names those they have. */
export function workspaceNotFound(slug: string, { workspace, memberships }: Pick<Caller, "workspace" | "memberships">) {
  // The credential's own workspace comes first, because a token of another workspace is the usual mistake.
  const slugs = new Set([workspace.slug, ...memberships.map((membership) => membership.slug)]);
  const named = [...slugs].slice(0, NAMED_WORKSPACES).map(quote).join(", ");
  const more = slugs.size > NAMED_WORKSPACES ? ` and ${slugs.size - NAMED_WORKSPACES} more` : "";
  const yours = slugs.size === 1 ? "Your workspace is" : "Your workspaces are";
  return notFound(`Workspace ${quote(slug)} not found. ${yours} ${named}${more}.`);
}

export const organizationNotFound = (slug: string): Failure =>
  notFound(`Organization ${quote(slug)} not found. Check the slug and that you are a member.`);

export const userNotFound = (slug: string): Failure => notFound(`User ${quote(slug)} not found. Check the slug.`);

export const tokenNotFound = (id: string): Failure =>
  notFound(`Access token ${quote(id)} not found. It may have been revoked already.`);

export const undoNotFound = (id: string): Failure =>
  notFound(`undo ${quote(id)} not found. It may have expired, or the deletion was already undone.`);

/** Returns the failure for anything else that a request names by its ID. */
export const idNotFound = (kind: string, id: string): Failure =>
  notFound(`${kind} ${quote(id)} not found. Check the ID and that you have access.`);
