import { z } from "zod";
import { ApiError, type Client } from "../client/client.ts";
import {
  accountRoute,
  type GuestLinkEntry,
  guestLinksRoute,
  type ItemDetailEntry,
  type ShareEntry,
  shareRoute,
} from "../client/routes.ts";
import { quoteTitle } from "./fence.ts";
import { counted, end } from "./text.ts";

/** A guest link as results have it, without its address, which is shown once. */
export const guestLink = z.object({
  id: z.string(),
  label: z.string().nullable(),
  code: z.string().nullable(),
  expires_at: z.string().nullable(),
  has_password: z.boolean(),
  emails: z.array(z.string()),
  uses: z.int(),
});

type GuestLink = z.output<typeof guestLink>;

/** Who can read a report, as results have it. */
export const readers = z.object({
  /** Whom the visibility lets read it. */
  audience: z.string(),
  people: z.array(z.string()),
  guest_links: z.array(guestLink),
});

export type Readers = z.output<typeof readers>;

/** Returns who can read a report, or one version of it; undefined if the user may read it, but not know that. */
export async function readersOf(
  client: Client,
  item: ItemDetailEntry,
  { versionCode, now }: { versionCode?: string | undefined; now: number },
): Promise<Readers | undefined> {
  const subject = item.name === undefined ? { code: item.code } : { name: item.name };
  // Who can read a report can read each version.
  const subjects = versionCode === undefined || item.name === undefined ? [subject] : [{ code: versionCode }, subject];
  try {
    const shares = await Promise.all(subjects.map((query) => client.call(shareRoute, { query })));
    const { links } = await client.call(guestLinksRoute, { query: subject });
    const { workspaces } = await client.call(accountRoute);
    const isOrganization = workspaces.some(({ slug, kind }) => slug === item.owner_slug && kind === "org");
    const [first] = shares;
    if (first === undefined) return undefined;
    const opens = ({ code, expires_at: at }: GuestLinkEntry) =>
      (at === null || Date.parse(at) > now) && (code === null || versionCode === undefined || code === versionCode);
    return {
      audience: audienceOf(first, item.owner_slug, isOrganization),
      people: [...new Set(shares.flatMap(({ people }) => people.map(({ email }) => email)))],
      guest_links: links.filter(opens).map((link) => guestLink.parse(link)),
    };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

function audienceOf({ visibility, org }: ShareEntry, owner: string, isOrganization: boolean): string {
  if (visibility === "public") return "anyone with the link";
  if (visibility === "private") return isOrganization ? `its publisher and the owners and admins of ${owner}` : owner;
  const only = org?.slug ?? (isOrganization ? owner : undefined);
  return only === undefined ? `members of the organizations of ${owner}` : `members of ${only}`;
}

/** Says who can read a report. */
export function describeReaders({ audience, people, guest_links: links }: Readers): string {
  const others = [
    ...(people.length === 0 ? [] : [`people it is shared with: ${people.join(", ")}`]),
    ...links.map((link) => `guest link ${describeGuestLink(link)}`),
  ];
  if (others.length === 0) return `Readable by ${audience}. Not shared with people, no guest links.`;
  return [`Readable by ${audience}, and also by`, ...others.map((one) => `- ${one}`)].join("\n");
}

/** Says what a guest link opens, for whom and until when. */
export function describeGuestLink({
  id,
  label,
  code,
  expires_at: at,
  has_password: isGuarded,
  emails,
  uses,
}: GuestLink) {
  return [
    label === null ? id : `${id} ${quoteTitle(label)}`,
    ...(code === null ? [] : [`version ${code} only`]),
    isGuarded ? "with a password" : "without a password",
    ...(emails.length === 0 ? [] : [`for ${emails.join(", ")} only`]),
    at === null ? "never expires" : `until ${end(at)}`,
    `opened ${counted(uses, "time")}`,
  ].join(", ");
}
