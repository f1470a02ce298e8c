import { expect } from "bun:test";
import { z } from "zod";
import type { EngineName } from "../../../support/engines.ts";
import { type Service, startService } from "../../../support/service.ts";
import { use } from "../../../support/use.ts";
import { type OidcProvider, oidcEnvironment, startOidcProvider, type Visitor } from "./oidc-provider.ts";

export const SECRET = "0123456789abcdef0123456789abcdef";
export const ATTEMPT_COOKIE = "vitrine_sign_in";
/** Part of the message for an attempt of another browser. */
export const NO_ATTEMPT = "started in another browser";

const sessionSchema = z.object({ user: z.object({ id: z.string(), email: z.string(), slug: z.string() }) }).nullable();

let logins = 0;

/** Returns a login at the provider that no other test uses. */
export const uniqueLogin = () => `person-${++logins}-${crypto.randomUUID().slice(0, 8)}`;

/** Starts a provider for all tests of a file. */
export function providerOfFile(): () => OidcProvider {
  const provider = use(startOidcProvider);
  return () => provider;
}

export const startWith = (issuer: string, environment: Record<string, string> = {}, engine: EngineName = "sqlite") =>
  startService({ engine, environment: { ...oidcEnvironment(issuer), VITRINE_SECRET: SECRET, ...environment } });

/** Returns whose session a `Cookie` header belongs to. */
export async function whoIs(service: Pick<Service, "baseUrl">, cookie: string) {
  const answer = await fetch(`${service.baseUrl}/api/auth/get-session`, { headers: { Cookie: cookie } });
  return sessionSchema.parse(await answer.json())?.user;
}

/** Expects a page that explains the refusal and leads back, without a session. Resolves to its HTML. */
export async function expectRefused(response: Response, visitor: Visitor, status: number, sentence: string) {
  const html = await response.text();
  expect({ status: response.status, html }).toEqual({ status, html: expect.stringContaining(sentence) });
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(response.headers.get("content-security-policy")).toContain("style-src 'sha256-");
  expect(html).toContain('href="/-/sign-in?next=');
  expect(visitor.cookieOf("vitrine_session")).toBeUndefined();
  return html;
}
