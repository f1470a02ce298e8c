import { createGuestLinkRoute } from "../../../../../src/contract/sharing/guest-links.ts";
import { PASS_HEADER } from "../../../../../src/hosts/live/messages.ts";
import type { startMailServer } from "../../../../mail/mail-server.ts";
import { addPerson, type Person } from "../../../../support/people.ts";
import { ALL_SCOPES, type Service } from "../../../../support/service.ts";
import { post, signIn, someAddress } from "../../../../support/sessions.ts";
import { until } from "../../../../support/until.ts";
import { type Actions, actionsOf } from "../../actions.ts";
import { type Guests, guestsOf, setGuestPassword } from "../guests.ts";
import type { GuestLink, Place, Report, Version, World } from "./model.ts";

/** People who belong to organizations or not, and one owner of each organization, who always does. */
const CHANGING = 3;
export const ORGANIZATIONS = [0, 1];

export interface Reader extends Person {
  cookie: string;
}

/** A guest link with what opens it. */
export interface OpenableLink extends GuestLink {
  id: string;
  takesComments: boolean;
  url: string;
  /** Proves the password or the address; undefined if the link demands neither. */
  pass: string | undefined;
  wrongTries: number;
}

/** An address of a version that someone was given. */
export interface Ticket {
  src: string;
  holder: { person: number; link?: undefined } | { link: OpenableLink; person?: undefined };
  report: Report;
  version: Version;
}

/** People, reports and links of a server, beside the model of them. */
export interface Scene {
  service: Service;
  act: Actions;
  guests: Guests;
  readers: Reader[];
  /** Credentials of the same people that were revoked, have expired, or ended when they signed out. */
  ended: { tokens: string[]; cookie: string }[];
  organizations: string[];
  world: World;
  links: OpenableLink[];
  tickets: Ticket[];
  /** Reports and versions that were deleted permanently. */
  purged: { report: Report; version: Version }[];
  mail: Awaited<ReturnType<typeof startMailServer>>;
  /** Requests for access of each person, which are limited. */
  requests: number[];
}

/** Returns credentials of a person that are no longer valid. */
async function endedOf(service: Service, person: Person) {
  const { build } = service;
  const revoked = await build.tokens.create({ userSlug: person.slug, scopes: ALL_SCOPES });
  await build.tokens.revoke(person.slug, revoked.id);
  const expired = await build.token({ userSlug: person.slug, expiresIn: -1 });
  const cookie = await signIn(service, person);
  const signedOut = await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
  if (!signedOut.ok) throw new Error(`Signing out failed: ${signedOut.status}`);
  return { tokens: [revoked.token, expired], cookie };
}

/** Creates people and organizations without reports. */
export async function createScene(service: Service, mail: Scene["mail"]): Promise<Scene> {
  const readers: Reader[] = [];
  const ended: Scene["ended"] = [];
  for (let number = 0; number < CHANGING + ORGANIZATIONS.length; number++) {
    const person = await addPerson(service);
    readers.push({ ...person, cookie: await signIn(service, person) });
    ended.push(await endedOf(service, person));
  }
  const organizations: string[] = [];
  const roles: World["roles"] = readers.map(() => ORGANIZATIONS.map(() => undefined));
  for (const organization of ORGANIZATIONS) {
    const slug = `org-${crypto.randomUUID().slice(0, 12)}`;
    const chief = CHANGING + organization;
    const ownerSlug = readers[chief]?.slug ?? "";
    await service.build.accounts.createOrganization({ slug, name: `The ${slug}`, ownerSlug });
    organizations.push(slug);
    const own = roles[chief];
    if (own !== undefined) own[organization] = "owner";
  }
  const made = {
    world: { roles, reports: [], threads: [] },
    links: [],
    tickets: [],
    purged: [],
    requests: readers.map(() => 0),
  };
  return { service, act: actionsOf(service), guests: guestsOf(service), readers, ended, organizations, mail, ...made };
}

export function readerOf({ readers }: Pick<Scene, "readers">, person: number): Reader {
  const reader = readers[person];
  if (reader === undefined) throw new Error(`There is no person ${person}.`);
  return reader;
}

/** The number of the person who may change everything in a workspace. */
export const governorOf = ({ person, organization }: Place): number => person ?? CHANGING + organization;

export const isChanging = (person: number): boolean => person < CHANGING;

export const tokenOf = (scene: Scene, place: Place): string => readerOf(scene, governorOf(place)).token;

export const slugOf = (scene: Scene, { person, organization }: Place): string =>
  person === undefined ? (scene.organizations[organization] ?? "") : readerOf(scene, person).slug;

const PASSWORD = "correct horse battery";
const EMBEDDER = "https://notes.example";

/** Creates a guest link, and opens it once to get a pass if it demands one. */
export async function createLink(
  scene: Scene,
  { guard, isEmbedded, ...wanted }: Pick<OpenableLink, "report" | "code" | "takesComments" | "hasPreview"> & Guarded,
): Promise<OpenableLink> {
  const { report, code, takesComments, hasPreview } = wanted;
  const { service, guests } = scene;
  const subject =
    code === undefined && report.name !== undefined ? { name: report.name } : { code: code ?? report.current };
  const email = `guest-${crypto.randomUUID().slice(0, 12)}@example.org`;
  const embedOrigins = isEmbedded ? [EMBEDDER] : [];
  const limits = { comments: takesComments, preview: hasPreview, embed_origins: embedOrigins };
  const body = { ...subject, ...limits, ...(asksFor(guard, "email") ? { emails: [email] } : {}) };
  const { id, url } = await service.client(tokenOf(scene, report.place)).call(createGuestLinkRoute, { body });
  if (asksFor(guard, "password")) await setGuestPassword(service, id, PASSWORD);
  const proof = {
    ...(asksFor(guard, "password") ? { password: PASSWORD } : {}),
    ...(asksFor(guard, "email") ? await proveAddress(scene, url, email) : {}),
  };
  const { pass } = await guests.opened(url, proof);
  const opens = "code" in subject ? subject.code : undefined;
  return { id, url, pass, report, takesComments, hasPreview, embedOrigins, code: opens, ...NEW_LINK };
}

export const GUARDS = ["none", "none", "none", "password", "email", "both"] as const;

/** What a new link demands, and whether a site may frame it. */
interface Guarded {
  guard: (typeof GUARDS)[number];
  isEmbedded: boolean;
}

const asksFor = (guard: Guarded["guard"], proof: "password" | "email") => guard === proof || guard === "both";

const NEW_LINK = { expiresAt: undefined, isRevoked: false, wrongTries: 0 };

async function proveAddress({ service, mail }: Scene, url: string, email: string) {
  const response = await post(service, `${new URL(url).pathname}~code`, { email }, someAddress());
  if (!response.ok) throw new Error(`No code was sent: ${response.status} ${await response.text()}`);
  const sent = await until(() => mail.received.find(({ to }) => to.includes(email)));
  return { email, code: /^(\d{6})$/m.exec(sent.text)?.[1] ?? "" };
}

/** Sends what the page of a guest link sends, from some address. */
export const openLink = (
  { guests }: Pick<Scene, "guests">,
  url: string,
  { proof = {}, pass }: { proof?: Record<string, string> | undefined; pass?: string | undefined },
) => guests.send(url, "~open", proof, { ...someAddress(), ...(pass === undefined ? {} : { [PASS_HEADER]: pass }) });
