import { newId } from "../model/codes.ts";
import { Failure } from "../model/failure.ts";
import { cutCharacters } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import { isStorable } from "../model/storable-text.ts";
import type { Client, FetchClientDocument, OAuthStore } from "./ports.ts";
import { isAllowedRedirect } from "./redirects.ts";
import { Refusal } from "./refusal.ts";

const DAY = 24 * 60 * 60_000;
/** How long an unused registration is kept, in milliseconds. */
const UNUSED_FOR = 30 * DAY;
/** How long a metadata document is remembered, in milliseconds. */
const REMEMBERED_FOR = 5 * 60_000;
const MOST_REMEMBERED = 200;
const MOST_REDIRECTS = 20;
const NAME_CHARACTERS = 80;

interface Dependencies {
  store: { oauth: Pick<OAuthStore, "findClient" | "addClient"> };
  fetchClientDocument: FetchClientDocument;
  clock: Clock;
  random: Random;
}

/** What a program says about itself, in a registration or a metadata document. */
export interface ClientMetadata {
  name: string | undefined;
  redirectUris: readonly string[];
  grantTypes: readonly string[] | undefined;
  responseTypes: readonly string[] | undefined;
}

/** Creates the directory of programs: those that registered themselves, and those whose ID is the address of a document. */
export function createClients({ store, fetchClientDocument, clock, random }: Dependencies) {
  const remembered = new Map<string, { client: Client; until: number }>();

  /** Registers a program (RFC 7591). Throws `Refusal`. */
  async function register(metadata: ClientMetadata): Promise<Client> {
    const client = { id: newId(random, "app"), ...check(metadata, "invalid_client_metadata") };
    const at = clock.now();
    await store.oauth.addClient({ client, at, unusedSince: at - UNUSED_FOR });
    return client;
  }

  /** Returns a program. Throws `Refusal` if it is unknown or its document isn't valid. */
  async function find(id: string): Promise<Client> {
    if (isDocumentId(id)) return findByDocument(id);
    const client = isStorable(id) ? await store.oauth.findClient(id) : undefined;
    if (client === undefined) throw new Refusal("invalid_client", "This app isn't registered here. Connect it again.");
    return client;
  }

  async function findByDocument(id: string): Promise<Client> {
    const known = remembered.get(id);
    const now = clock.now();
    if (known !== undefined && known.until > now && known.until <= now + REMEMBERED_FOR) return known.client;
    const document = await fetchClientDocument(new URL(id)).catch(rethrowAsRefusal);
    const { clientId, ...metadata } = readDocument(document);
    if (clientId !== id)
      throw new Refusal(
        "invalid_client",
        `The document at ${id} is for another client_id. The app's maker has to fix it.`,
      );
    const client = { id, ...check(metadata, "invalid_client") };
    const [oldest] = remembered.keys();
    if (remembered.size >= MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    remembered.delete(id);
    remembered.set(id, { client, until: now + REMEMBERED_FOR });
    return client;
  }

  return { register, find };
}

export type Clients = ReturnType<typeof createClients>;

/** Returns whether the ID of a client is the address of its metadata document. */
export function isDocumentId(id: string): boolean {
  if (!id.startsWith("https://") || id.length > 1000 || !URL.canParse(id)) return false;
  const url = new URL(id);
  const isPlain = url.username === "" && url.password === "" && url.hash === "" && url.pathname !== "/";
  // The text has to be the normal form, so that one document has one ID.
  return isPlain && url.href === id;
}

function rethrowAsRefusal(error: unknown): never {
  throw error instanceof Failure ? new Refusal("invalid_client", error.message) : error;
}

const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;

/** Reads the fields of a document or a registration that Vitrine uses. */
export function readDocument(document: unknown): ClientMetadata & { clientId: unknown } {
  const fields: Record<string, unknown> = typeof document === "object" && document !== null ? { ...document } : {};
  return {
    clientId: fields.client_id,
    name: typeof fields.client_name === "string" ? fields.client_name : undefined,
    redirectUris: texts(fields.redirect_uris) ?? [],
    grantTypes: texts(fields.grant_types),
    responseTypes: texts(fields.response_types),
  };
}

/** Throws `Refusal` unless the metadata describes a program that can connect. */
function check(
  { name, redirectUris, grantTypes, responseTypes }: ClientMetadata,
  code: "invalid_client" | "invalid_client_metadata",
): Omit<Client, "id"> {
  const refuse = (message: string) => new Refusal(code, message);
  if (redirectUris.length === 0 || redirectUris.length > MOST_REDIRECTS)
    throw refuse(`redirect_uris must have 1 to ${MOST_REDIRECTS} entries.`);
  const wrong = redirectUris.find((uri) => !isAllowedRedirect(uri));
  if (wrong !== undefined)
    throw new Refusal(
      code === "invalid_client" ? code : "invalid_redirect_uri",
      `redirect_uris has ${quote(wrong)}. Use https, a loopback address such as http://127.0.0.1/, or the app's own scheme, without a fragment.`,
    );
  if (grantTypes !== undefined && !grantTypes.includes("authorization_code"))
    throw refuse("grant_types must include authorization_code.");
  if (responseTypes !== undefined && !responseTypes.includes("code")) throw refuse("response_types must include code.");
  return { name: nameOf(name, redirectUris), redirectUris };
}

/** Characters that could make a name look like other text on the consent page. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function nameOf(name: string | undefined, [first = ""]: readonly string[]): string {
  const shown = (name ?? "").replace(INVISIBLE, "").trim();
  if (shown !== "" && isStorable(shown)) return cutCharacters(shown, NAME_CHARACTERS);
  return cutCharacters(URL.canParse(first) ? new URL(first).host || "App" : "App", NAME_CHARACTERS);
}
