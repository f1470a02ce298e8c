import type { Browser, Frame, Page } from "playwright-core";
import { createClient } from "../../src/client/client.ts";
import { nginxUnavailable, startNginx } from "../deploy/nginx.ts";
import { launchChromium } from "../support/chromium.ts";
import { findFreePort } from "../support/ports.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { PASSWORD, type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { type Certificate, certificateUnavailable, createCertificate, publicKeyHash, terminateTls } from "./tls.ts";

const DOMAIN = "vitrine.test";
const [APP, CONTENT] = [`app.${DOMAIN}`, `content.${DOMAIN}`];

/** A running service at its public addresses, behind any proxies. */
export interface Deployment extends Service {
  /** Sends a request as a remote client that resolves the names and trusts the certificate. Follows no redirects. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
}

interface Setting {
  name: string;
  unavailable(): string | undefined;
  start(): Promise<Deployment>;
}

const SETTINGS = {
  local: {
    name: "localhost and 127.0.0.1 over http",
    unavailable: () => undefined,
    start: async () => withoutNames(await startService()),
  },
  intranet: { name: "two names over http, as in an intranet", unavailable: () => undefined, start: startInIntranet },
  https: {
    name: "two names over https",
    unavailable: certificateUnavailable,
    start: () => startBehind(terminators),
  },
  nginx: {
    name: "two names behind nginx",
    unavailable: () => nginxUnavailable() ?? certificateUnavailable(),
    start: () => startBehind(nginx),
  },
} as const satisfies Readonly<Record<string, Setting>>;

type SettingName = keyof typeof SETTINGS;

export const EVERYWHERE: readonly SettingName[] = ["local", "intranet", "https", "nginx"];

/** All deployments in a full run, otherwise the usual one. Other tests in browsers run locally. */
const USUALLY = IS_EVERYTHING ? EVERYWHERE : (["https"] as const);

/** Registers the same tests for each of these deployments. Those that can't run here are skipped, with the reason. */
export function describeEachDeployment(
  body: (start: Setting["start"]) => void,
  names: readonly SettingName[] = USUALLY,
): void {
  for (const name of names) {
    const { name: title, unavailable, start } = SETTINGS[name];
    describeIf(`at ${title}`, unavailable(), () => body(start));
  }
}

let sharedCertificate: Promise<Certificate> | undefined;

/** Returns the certificate of all deployments of this process. */
function deploymentCertificate(): Promise<Certificate> {
  sharedCertificate ??= createCertificate(DOMAIN);
  return sharedCertificate;
}

/** Starts a browser that resolves the names of all deployments and trusts their certificate. */
export async function launchNamingChromium(): Promise<Browser> {
  const args = [`--host-resolver-rules=MAP *.${DOMAIN} 127.0.0.1`];
  if (certificateUnavailable() === undefined) {
    // Ignoring certificate errors would turn each new connection into a retry, of which Chromium makes only a few.
    args.push(`--ignore-certificate-errors-spki-list=${publicKeyHash(await deploymentCertificate())}`);
  }
  return launchChromium({ args });
}

/** Opens a browser context and signs in by the form. */
export async function signedInContext(browser: Browser, { baseUrl }: Pick<Service, "baseUrl">, email: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${baseUrl}/-/sign-in`);
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(({ pathname }) => pathname !== "/-/sign-in");
  await page.close();
  return context;
}

/** Returns the frame with the report itself, inside any page of the service. */
export function reportIn(page: Page, { contentUrl }: Pick<Deployment, "contentUrl">, code: string): Promise<Frame> {
  const isReport = (url: string) =>
    url.startsWith(`${contentUrl}/`) && /\/(\w{16})\/(?:index\.html)?$/.exec(new URL(url).pathname)?.[1] === code;
  return until(async () => page.frames().find((frame) => isReport(frame.url())));
}

const withoutNames = (service: Service): Deployment => ({
  ...service,
  fetch: (url, init) => fetch(url, { redirect: "manual", ...init }),
});

async function startInIntranet(): Promise<Deployment> {
  const [port, contentPort] = [await findFreePort(), await findFreePort()];
  const service = await startService({
    environment: {
      VITRINE_PORT: String(port),
      VITRINE_CONTENT_PORT: String(contentPort),
      VITRINE_BASE_URL: `http://${APP}:${port}`,
      VITRINE_CONTENT_URL: `http://${CONTENT}:${contentPort}`,
    },
  });
  return withNames(service, port);
}

interface Pair {
  app: number;
  content: number;
}

/** Starts what terminates TLS: public ports, the program's ports. */
type Front = (certificate: Certificate, outer: Pair, inner: Pair) => Promise<AsyncDisposable>;

const terminators: Front = async (certificate, outer, inner) => {
  const stack = new DisposableStack();
  stack.use(await terminateTls(certificate, outer.app, inner.app));
  stack.use(await terminateTls(certificate, outer.content, inner.content));
  return { [Symbol.asyncDispose]: async () => stack.dispose() };
};

const nginx: Front = async (certificate, outer, inner) =>
  startNginx({
    app: { name: APP, port: outer.app, targets: [`127.0.0.1:${inner.app}`] },
    content: { name: CONTENT, port: outer.content, targets: [`127.0.0.1:${inner.content}`] },
    tls: { certificate, redirectPort: await findFreePort() },
  });

async function startBehind(startFront: Front): Promise<Deployment> {
  const certificate = await deploymentCertificate();
  const outer = { app: await findFreePort(), content: await findFreePort() };
  const inner = { app: await findFreePort(), content: await findFreePort() };
  await using started = new AsyncDisposableStack();
  const service = await startService({
    environment: {
      VITRINE_PORT: String(inner.app),
      VITRINE_CONTENT_PORT: String(inner.content),
      VITRINE_BASE_URL: `https://${APP}:${outer.app}`,
      VITRINE_CONTENT_URL: `https://${CONTENT}:${outer.content}`,
    },
  });
  started.use(service);
  started.use(await startFront(certificate, outer, inner));
  const running = started.move();
  return { ...withNames(service, inner.app, certificate), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Names the public addresses of a service. The API is called past the proxy, because nothing here resolves the names. */
function withNames(service: Service, port: number, certificate?: Certificate): Deployment {
  return {
    ...service,
    client: (token) => createClient({ baseUrl: `http://127.0.0.1:${port}`, token }),
    fetch(url, init = {}) {
      const headers = new Headers(init.headers);
      headers.set("Host", new URL(url).host);
      const address = url.replace(/^(https?:\/\/)[^:/]+/, "$1127.0.0.1");
      const tls = certificate === undefined ? {} : { tls: { ca: certificate.cert } };
      return fetch(address, { redirect: "manual", ...init, headers, ...tls });
    },
  };
}
