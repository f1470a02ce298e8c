import { z } from "zod";
import type { Service } from "../../../support/service.ts";
import { post } from "../../../support/sessions.ts";

const PROGRAM = new URL("./oidc-provider.mjs", import.meta.url).pathname;
const CLIENT = { id: "vitrine", secret: "a secret between two servers" };
export const BEGIN = "/api/auth/sign-in/oidc";
export const CALLBACK = "/api/auth/callback/oidc";

/** Returns the settings for single sign-on with a provider. */
export const oidcEnvironment = (issuer: string): Record<string, string> => ({
  VITRINE_OIDC_ISSUER: issuer,
  VITRINE_OIDC_CLIENT_ID: CLIENT.id,
  VITRINE_OIDC_CLIENT_SECRET: CLIENT.secret,
});

interface Claims {
  email?: string;
  email_verified?: unknown;
  name?: string;
  preferred_username?: string;
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

/** Starts a real OpenID Connect provider, for any number of servers. */
export async function startOidcProvider() {
  const child = Bun.spawn([process.execPath, PROGRAM], {
    env: {
      PATH: process.env.PATH,
      CLIENT_ID: CLIENT.id,
      CLIENT_SECRET: CLIENT.secret,
      CALLBACK_PATH: CALLBACK,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  const issuer = await firstLine(child.stdout);

  /** Sets the provider's claims about a person. */
  async function tell(login: string, claims: Claims): Promise<void> {
    const told = await fetch(`${issuer}/test/people/${login}`, { method: "PUT", body: JSON.stringify(claims) });
    if (!told.ok) throw new Error(`The provider refused the claims: ${told.status}`);
  }

  /** Returns the paths of the requests that belonged to a trace. */
  async function requestsOf(trace: string): Promise<string[]> {
    const traces: unknown = await (await fetch(`${issuer}/test/traces`)).json();
    return z.record(z.string(), z.array(z.string())).parse(traces)[trace] ?? [];
  }

  return {
    issuer,
    tell,
    requestsOf,
    async [Symbol.asyncDispose]() {
      child.kill();
      await child.exited;
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    const [line, rest] = text.split("\n");
    if (line !== undefined && rest !== undefined) return line;
  }
  throw new Error(`The provider did not start: ${text}`);
}

export type Visitor = ReturnType<typeof createVisitor>;

/** Creates a browser that handles cookies and redirects. */
export function createVisitor(service: Pick<Service, "baseUrl">) {
  const jars = new Map<string, Map<string, string>>();

  function jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  }

  const cookies = (url = service.baseUrl) => [...jarOf(url)].map(([name, value]) => `${name}=${value}`).join("; ");

  function keep(url: string, response: Response): void {
    const jar = jarOf(url);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
  }

  async function get(url: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(url, {
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
      headers: { Cookie: cookies(url), Accept: "text/html" },
      redirect: "manual",
    });
    keep(url, response);
    return response;
  }

  /** Starts a sign-in and returns the provider's address. */
  async function begin(next = "/", more: { confirm?: boolean } = {}): Promise<string> {
    const response = await post(service, BEGIN, { next, ...more }, { Cookie: cookies() });
    keep(service.baseUrl, response);
    const answer: unknown = await response.json();
    if (typeof answer !== "object" || answer === null || !("url" in answer)) {
      throw new Error(`Sign-in did not start: ${JSON.stringify(answer)}`);
    }
    return String(answer.url);
  }

  /** Signs in at the provider and consents to everything, or cancels; returns the callback's address. */
  async function visitProvider(address: string, login: string | undefined): Promise<string> {
    let url = address;
    for (let step = 0; step < 20; step++) {
      if (url.startsWith(service.baseUrl)) return url;
      const shown = await get(url);
      const answered = shown.status === 200 ? await answerForm(url, await shown.text(), login) : shown;
      const location = answered.headers.get("location");
      if (location === null)
        throw new Error(`The provider sent no redirect: ${answered.status} ${await answered.text()}`);
      url = new URL(location, url).href;
    }
    throw new Error("The provider redirects endlessly.");
  }

  function answerForm(url: string, html: string, login: string | undefined): Promise<Response> {
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(html) ?? [];
    // Before another person signs in, a page of the provider ends the earlier session.
    const [, action] = /action="([^"]+\/session\/end\/confirm)"/.exec(html) ?? [];
    const [, xsrf = ""] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
    if (action !== undefined) return get(action, { xsrf, logout: "yes" });
    if (prompt === undefined) throw new Error(`The provider shows no form: ${html}`);
    return login === undefined ? get(`${url}/abort`) : get(url, { prompt, login, password: "any" });
  }

  /** Signs in completely. Returns the server's last answer. */
  async function signIn(login: string, next?: string): Promise<Response> {
    return get(await visitProvider(await begin(next), login));
  }

  return { get, begin, visitProvider, signIn, cookies, cookieOf: (name: string) => jarOf(service.baseUrl).get(name) };
}
