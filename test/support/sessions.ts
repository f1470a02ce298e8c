import { PASSWORD, type Service } from "./service.ts";

/** What the `Cookie` header has to be for a browser that received these. */
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

/** Signs a user in and returns what their browser sends from then on as `Cookie`. */
export async function signIn(
  service: Pick<Service, "baseUrl">,
  { email, password = PASSWORD }: { email: string; password?: string },
): Promise<string> {
  const response = await post(service, "/api/auth/sign-in/email", { email, password });
  if (!response.ok) throw new Error(`Signing in failed: ${response.status} ${await response.text()}`);
  return cookiesOf(response);
}
