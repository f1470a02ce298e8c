import { loadRoutes } from "../client/lazy-routes.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import type { Session } from "./session.ts";

/** Returns the workspaces that the user belongs to, or only the requested one. */
export async function ownersOf(session: Session, requested: string | undefined): Promise<string[]> {
  if (requested !== undefined) return [requested];
  const { accountRoute } = await loadRoutes.account();
  const { workspaces } = await session.call(accountRoute);
  return workspaces.map(({ slug }) => slug);
}

/** Returns the requested workspace, or that of the access token. */
export async function ownerOf(session: Session, requested: string | undefined): Promise<string> {
  if (requested !== undefined) return requested;
  const { accountRoute } = await loadRoutes.account();
  const { workspace, user } = await session.call(accountRoute);
  return workspace ?? user.slug;
}

/** Throws `CommandError` if the user is a member of no organization, which the option requires. */
export async function requireOrganization(session: Session, option: string): Promise<void> {
  const { accountRoute } = await loadRoutes.account();
  const { workspaces } = await session.call(accountRoute);
  if (workspaces.some(({ kind }) => kind === "org")) return;
  throw new CommandError(
    `${option} requires an organization, and you're not a member of one. Share the report with people, or make it public.`,
    EXIT_CODES.usage,
  );
}
