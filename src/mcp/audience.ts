import { z } from "zod";
import type { Client } from "../client/client.ts";
import {
  accountRoute,
  setVisibilityRoute,
  shareWithOrganizationRoute,
  shareWithPeopleRoute,
} from "../client/routes.ts";
import type { Reference } from "./references.ts";
import { ToolError } from "./tool-error.ts";

export const audience = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .optional()
  .describe(
    'Who can read it: "private" (as new reports are), "public" (ANYONE with the link: ask the user), or an organization, by slug or name.',
  );

const MAX_PEOPLE = 50;
export const people = z.array(z.string().max(254)).max(MAX_PEOPLE).optional();

export type Audience =
  | { visibility: "public" | "private"; label: string }
  | { visibility: "org"; org: string | undefined; label: string };

const PUBLIC = /^(public|anyone|everyone|anyone with the link)$/i;
const PRIVATE = /^(private|only me|me)$/i;

/** Returns the audience that a label means. Throws `ToolError`. */
export async function findAudience(client: Client, label: string): Promise<Audience> {
  if (PUBLIC.test(label)) return { visibility: "public", label: "anyone with the link" };
  if (PRIVATE.test(label)) return { visibility: "private", label: "private" };
  const { workspaces } = await client.call(accountRoute);
  const organizations = workspaces.filter(({ kind }) => kind === "org");
  const fold = (text: string | null) => text?.toLowerCase();
  const found = organizations.filter(({ slug, display_name: name }) =>
    [fold(slug), fold(name)].includes(label.toLowerCase()),
  );
  const [only] = found.length > 0 ? found : /^org(anization)?$/i.test(label) ? organizations : [];
  const list = organizations.map(({ slug }) => slug).join(", ") || "the user belongs to no organization";
  if (only === undefined) {
    throw new ToolError(
      `audience ${JSON.stringify(label)} isn't known. Use private, public or an organization (${list}). For single people, pass their email addresses instead.`,
    );
  }
  if (found.length !== 1 && organizations.length > 1) {
    throw new ToolError(`The user belongs to several organizations: ${list}. Pass one as audience.`);
  }
  return { visibility: "org", org: only.slug, label: `members of ${only.slug}` };
}

/** Gives a report another audience. */
export async function setAudience(client: Client, reference: Reference, chosen: Audience): Promise<void> {
  if (chosen.visibility === "org") {
    await client.call(shareWithOrganizationRoute, { body: { ...reference, shared: true, org: chosen.org } });
  } else await client.call(setVisibilityRoute, { body: { ...reference, visibility: chosen.visibility } });
}

/** Lets people read a report, or stops it. */
export async function sharePeople(
  client: Client,
  reference: Reference,
  change: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<string[]> {
  const { add = [], remove = [] } = change;
  const body = { ...reference, add: [...add], remove: [...remove] };
  const answer = await client.call(shareWithPeopleRoute, { body });
  return answer.people.map(({ email }) => email);
}
