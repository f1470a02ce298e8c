import { createClient } from "../../src/client/client.ts";
import { PASSWORD, type Service } from "./service.ts";

/** Returns the `Cookie` header of a browser that received this response. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ");

/** Sends JSON as a page of the application host does. */
export function post(
  { baseUrl }: Pick<Service, "baseUrl">,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(baseUrl + path, {
    method: "POST",
    headers: { Origin: baseUrl, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
}

/** Returns the header of a request from some client, because the limits of guessing count by address. */
export const someAddress = (): Record<string, string> => ({
  "X-Forwarded-For": `198.18.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`,
});

/** Signs a user in and returns the `Cookie` header that their browser sends from then on. */
export async function signIn(
  service: Pick<Service, "baseUrl">,
  { email, password = PASSWORD }: { email: string; password?: string },
): Promise<string> {
  const response = await post(service, "/api/auth/sign-in/email", { email, password });
  if (!response.ok) throw new Error(`Sign-in failed: ${response.status} ${await response.text()}`);
  return cookiesOf(response);
}

/** Returns the headers that a page of the application host sends from a signed-in browser. */
export const asPage = ({ baseUrl }: Pick<Service, "baseUrl">, cookie: string) => ({ Cookie: cookie, Origin: baseUrl });

/** Returns the typed client of a page. */
export function pageClient(service: Pick<Service, "baseUrl">, cookie: string) {
  return createClient({
    baseUrl: service.baseUrl,
    fetch: (url, { headers, ...init }) => {
      const all = { ...Object.fromEntries(new Headers(headers)), ...asPage(service, cookie) };
      return fetch(url, { ...init, headers: all });
    },
  });
}
