import type { LiveItem } from "../live/ports.ts";
import { isForAnyone, isPublic } from "../model/access.ts";
import type { Instant } from "../model/entities.ts";
import { type Addresses, EMBED_PART, EMBED_PATH, type Links, type LiveLink, parseLivePath } from "../model/links.ts";
import { CODE_PATTERN, INDEX_FILE } from "../model/names.ts";
import type { Clock } from "../model/ports.ts";
import { titleOf } from "../model/titles.ts";
import type { GuestLinkStore, OpenGuestLink } from "../sharing/guest-ports.ts";
import { guestPath, hashSecret, secretInPath } from "../sharing/guest-secrets.ts";
import type { CardStore } from "./ports.ts";

/** The size of the pictures, which unfurlers show without cropping. */
export const CARD_SIZE = { width: 1200, height: 630 } as const;

/** What sites that preview a link may know about a report. */
export interface Card {
  title: string;
  /** The slug of the workspace. Its name is hidden from people who are not signed in. */
  author: string;
  versionNo: number;
  createdAt: Instant;
  /** The address of the card's picture. */
  pictureUrl: string;
  /** The address at which other pages may frame the report; undefined if none may. */
  embedUrl: string | undefined;
}

/** The part of a guest link that is the picture of its card. */
export const GUEST_CARD_PART = "~card.png";

interface Dependencies {
  store: { live: CardStore; sharing: Pick<GuestLinkStore, "findOpenGuestLink"> };
  addresses: Addresses;
  links: Pick<Links, "embed" | "card">;
  clock: Clock;
}

/** Creates the service that describes public reports, and those of guest links with a preview, to sites that preview links. */
export function createCards({ store: { live, sharing }, addresses, links, clock }: Dependencies) {
  const origins = new Set([addresses.baseUrl, addresses.contentUrl].map((url) => new URL(url).origin));

  /** Returns the card of what a link shows to anyone; undefined if that is nothing, whether or not there is a report. */
  async function find(url: string): Promise<Card | undefined> {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !origins.has(parsed.origin)) return undefined;
    const code = codeOf(parsed.pathname);
    if (code !== undefined) return ofCode(code);
    const secret = secretInPath(parsed.pathname);
    if (secret !== undefined) return ofSecret(secret);
    const link = parseLivePath(parsed.pathname);
    return link && ofLink(link);
  }

  /** Returns the card of a public live link. */
  async function ofLink({ name, ownerSlug, part }: LiveLink): Promise<Card | undefined> {
    if (part && part !== EMBED_PART) return undefined;
    const found = await live.findLiveByName(name);
    if (found === undefined || !isPublic(found)) return undefined;
    return (ownerSlug ?? found.ownerSlug) === found.ownerSlug ? cardOf(found, name) : undefined;
  }

  /** Returns the card of a version that anyone may read. */
  async function ofCode(code: string): Promise<Card | undefined> {
    const found = await live.findLiveByCode(code);
    return found !== undefined && isForAnyone(found.version.visibility) ? cardOf(found, undefined) : undefined;
  }

  async function ofSecret(secret: string): Promise<Card | undefined> {
    const link = await sharing.findOpenGuestLink(hashSecret(secret), clock.now());
    return link && ofGuestLink(link, secret);
  }

  /** Returns the card of a guest link; undefined if it has no preview. */
  function ofGuestLink({ hasPreview, embedOrigins, shown }: OpenGuestLink, secret: string): Card | undefined {
    if (!hasPreview) return undefined;
    const url = addresses.baseUrl + guestPath(secret);
    const embedUrl = embedOrigins === null ? undefined : url;
    return { ...describe(shown), pictureUrl: url + GUEST_CARD_PART, embedUrl };
  }

  function cardOf(found: LiveItem, name: string | undefined): Card {
    const { version, ownerSlug } = found;
    const { code } = version;
    const embedUrl = links.embed({ name, ownerSlug, code });
    return { ...describe(found), pictureUrl: links.card(code), embedUrl };
  }

  return { find, ofCode, ofGuestLink };
}

export type Cards = ReturnType<typeof createCards>;

const describe = (found: LiveItem) => ({
  title: titleOf(found),
  author: found.ownerSlug,
  versionNo: found.version.versionNo,
  createdAt: found.version.createdAt,
});

const CODE_PATH = new RegExp(`^(?:${EMBED_PATH}|/)([0-9A-Za-z]+)/?(?:${INDEX_FILE.replace(".", "\\.")})?$`);

/** Returns the code in the path of a version link, or of its address for frames. */
function codeOf(path: string): string | undefined {
  const code = CODE_PATH.exec(path)?.[1] ?? "";
  return CODE_PATTERN.test(code) ? code : undefined;
}
