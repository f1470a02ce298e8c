import { expect } from "bun:test";
import { sql } from "kysely";
import type { BodyInput } from "../../../../src/contract/model/route.ts";
import {
  createGuestLinkRoute,
  guestLinksRoute,
  revokeGuestLinkRoute,
  updateGuestLinkRoute,
} from "../../../../src/contract/sharing/guest-links.ts";
import { type OpenedGuestLink, PASS_HEADER } from "../../../../src/hosts/live/messages.ts";
import { connectTo } from "../../../store/support.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { HTML } from "../../../support/readers.ts";
import type { Service } from "../../../support/service.ts";
import { post, someAddress } from "../../../support/sessions.ts";
import { until } from "../../../support/until.ts";

/** Returns the secret in the address of a guest link. */
export const secretIn = (url: string): string => /\/s\/([^/]+)\/$/.exec(url)?.[1] ?? "";

/** Returns what people do with guest links at a service. Guests come from an address that other tests don't use. */
export function guestsOf(service: Pick<Service, "baseUrl" | "contentUrl" | "client">) {
  const address = someAddress();
  const create = (token: string, body: BodyInput<typeof createGuestLinkRoute>) =>
    service.client(token).call(createGuestLinkRoute, { body });
  const list = async (token: string, query: { name?: string; code?: string; owner?: string }) =>
    (await service.client(token).call(guestLinksRoute, { query })).links;
  const revoke = (token: string, id: string) => service.client(token).call(revokeGuestLinkRoute, { body: { id } });

  /** Lets a link expire in a moment, or a later one if a busy machine takes longer to say so. Returns when it did. */
  async function expire(token: string, id: string, milliseconds = 300): Promise<number> {
    const expiresAt = Date.now() + milliseconds;
    const body = { id, expires_at: new Date(expiresAt).toISOString() };
    try {
      await service.client(token).call(updateGuestLinkRoute, { body });
    } catch (error) {
      if (!String(error).includes("expires_at must be in the future")) throw error;
      return expire(token, id, milliseconds * 2);
    }
    await until(() => Date.now() > expiresAt);
    return expiresAt;
  }

  /** Opens a link's page as a browser does. */
  const page = (url: string, headers: Record<string, string> = HTML) =>
    fetch(url, { headers: { ...address, ...headers }, redirect: "manual" });

  /** Sends what the page's script sends. */
  const send = (url: string, part: string, body: unknown, headers: Record<string, string> = {}) =>
    post(service, `${new URL(url).pathname}${part}`, body, { ...address, ...headers });

  const open = (url: string, proof: Record<string, unknown> = {}, pass?: string) =>
    send(url, "~open", proof, pass === undefined ? {} : { [PASS_HEADER]: pass });

  /** Opens a link that opens. */
  async function opened(url: string, proof: Record<string, unknown> = {}): Promise<OpenedGuestLink> {
    const response = await open(url, proof);
    expect([response.status, response.ok ? "" : await response.text()]).toEqual([200, ""]);
    return response.json() as Promise<OpenedGuestLink>;
  }

  return { address, create, list, revoke, expire, page, send, open, opened };
}

export type Guests = ReturnType<typeof guestsOf>;

/** Protects a link by a password, as `create` would but with a weak hash: a strong one takes longer than most tests. */
export async function setGuestPassword(
  service: Pick<Service, "database">,
  id: string,
  password: string,
): Promise<void> {
  const hash = await Bun.password.hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
  await executeSql(service.database, `update guest_links set password_hash = '${hash}' where id = '${id}'`);
}

/** Returns everything that a service's database has in a table of guest links. */
export async function storedRows({ database }: Pick<Service, "database">, table: "guest_links" | "guest_codes") {
  const rows = connectTo(database);
  try {
    const { rows: found } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(rows);
    return found;
  } finally {
    await rows.destroy();
  }
}
