import { expect } from "bun:test";
import { createClient } from "../../../src/client/client.ts";
import { PORTAL_SOCKET_PATH, type PortalMessage, portalMessage } from "../../../src/contract/live/portal-socket.ts";
import { until } from "../../support/content.ts";
import type { Service } from "../../support/service.ts";
import { pause } from "../../support/until.ts";
import { orderActionsOf } from "../app/cabinet/order-actions.ts";

export const HELLO: PortalMessage = { type: "hello" };
export const ACCOUNT: PortalMessage = { type: "account" };
/** Milliseconds for which the server collects news, and some more. */
const WINDOW = 70;
/** Milliseconds after which any other messages have arrived: more than two windows. */
const QUIET = 120;

/** The socket of a signed-in person's page. */
export interface Page {
  messages: PortalMessage[];
  /** Checks that these messages come, and nothing else. */
  hears(...expected: readonly PortalMessage[]): Promise<void>;
  /** Returns the next message that was not read yet. */
  next(): Promise<PortalMessage>;
  /** Waits for this message, alone or combined with others, after any earlier ones. */
  reaches(expected: PortalMessage): Promise<void>;
  ended: Promise<{ code: number; at: number }>;
  /** Closes the page, so that the server keeps nothing of it. */
  leave(): Promise<void>;
  socket: WebSocket;
}

const portalSocketUrl = ({ baseUrl }: Pick<Service, "baseUrl">) => baseUrl.replace(/^http/, "ws") + PORTAL_SOCKET_PATH;

/** Connects and waits for the greeting. */
export async function openPage(
  service: Pick<Service, "baseUrl">,
  cookie: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Page> {
  // The server collects news for a window, and includes pages that connect meanwhile.
  await pause(WINDOW, "a window of the server");
  const all = { Origin: service.baseUrl, Cookie: cookie, ...headers };
  const socket = new WebSocket(portalSocketUrl(service), { headers: all });
  const messages: PortalMessage[] = [];
  const ended = Promise.withResolvers<{ code: number; at: number }>();
  const opened = Promise.withResolvers<void>();
  let taken = 0;
  socket.onopen = () => opened.resolve();
  socket.onmessage = ({ data }) => {
    messages.push(portalMessage.parse(JSON.parse(String(data))));
  };
  socket.onclose = ({ code }) => {
    opened.reject(new Error(`The socket was closed (${code}).`));
    ended.resolve({ code, at: Date.now() });
  };
  await opened.promise;
  const next = () => until(async () => (messages.length > taken ? messages[taken++] : undefined));
  async function hears(...expected: readonly PortalMessage[]) {
    const isThere = async () => messages.length >= taken + expected.length || undefined;
    await until(isThere, 3_000).catch(() => undefined);
    // Any other messages would come within a window.
    await pause(QUIET, "a window of the server");
    const news = messages.slice(taken);
    taken = messages.length;
    expect(news).toEqual([...expected]);
  }
  async function reaches(expected: PortalMessage) {
    for (let message: PortalMessage | undefined; !says(message, expected); ) message = await next();
  }
  async function leave() {
    socket.close();
    await ended.promise;
  }
  const page: Page = { leave, messages, hears, next, reaches, ended: ended.promise, socket };
  const greeting = await page.next();
  if (greeting.type !== "hello") throw new Error(`The page was greeted with ${greeting.type}.`);
  return page;
}

function says(message: PortalMessage | undefined, expected: PortalMessage): boolean {
  if (message?.type !== "changed" || expected.type !== "changed") return message?.type === expected.type;
  return message.owner === expected.owner && expected.about.every((part) => message.about.includes(part));
}

/** Returns actions in a browser, with the cookie of a signed-in person. */
export const actInBrowser = (service: Service) =>
  orderActionsOf({
    ...service,
    client: (cookie = "") =>
      createClient({
        baseUrl: service.baseUrl,
        fetch(url, init) {
          const headers = new Headers(init.headers);
          headers.set("Cookie", cookie);
          headers.set("Origin", service.baseUrl);
          return fetch(url, { ...init, headers });
        },
      }),
  });

export const changed = (owner: string, ...about: Extract<PortalMessage, { type: "changed" }>["about"]) => ({
  type: "changed" as const,
  owner,
  about,
});
