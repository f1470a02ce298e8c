import type { Hono } from "hono";
import type { Live } from "../../domain/live/live.ts";
import type { ReleaseFiles } from "../../domain/model/release-files.ts";
import type { Accounts } from "../../domain/people/accounts.ts";
import { ICON_PATHS, iconResponse } from "../http/icon.ts";
import { answerMetrics, type CollectMetrics, METRICS_PATH } from "../http/metrics.ts";
import { HOME, htmlResponse, localPath, missing, redirectTo, scriptedResponse } from "../http/page-responses.ts";
import { wantsPage } from "../http/pages.ts";
import { answerReady, READY_PATH, type ReadyDependencies } from "../http/ready.ts";
import { type ServeShellFile, SHELL_PATH } from "../http/shell-files.ts";
import { mountAgentPages } from "./agents/mount.ts";
import { mountDownloads } from "./downloads/mount.ts";
import { mountLiveLinks } from "./live/live-links.ts";
import type { Environment } from "./mount.ts";
import { OAUTH_PATHS } from "./oauth/metadata.ts";
import { mountOAuthPages, type OAuthPagesDependencies, openedByApp } from "./oauth/pages.ts";
import { setUpOverPage, setUpPage, signInPage } from "./people/account-pages.ts";
import { mountPeoplePages, type PeoplePagesDependencies } from "./people/pages.ts";
import type { Portal } from "./portal/files.ts";
import { mountPortal } from "./portal/mount.ts";
import { mountVersionLinks, type VersionLinksDependencies } from "./private-links/version-links.ts";
import { mountGuestPages } from "./sharing/guest-pages.ts";

interface PagesDependencies
  extends PeoplePagesDependencies,
    ReadyDependencies,
    OAuthPagesDependencies,
    VersionLinksDependencies {
  portal: Portal;
  serveShellFile: ServeShellFile;
  releaseFiles: ReleaseFiles;
  readCliPackage(): Promise<Blob>;
  live: Pick<Live, "find" | "anyone">;
  accounts: Pick<Accounts, "maySetUp">;
  hasSingleSignOn: boolean;
  /** Undefined if metrics are not on this host. */
  collectMetrics: CollectMetrics | undefined;
}

const PROGRAM_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Returns the headers of answers to programs, such as load balancers. */
export const headersWith = (extra: Record<string, string>) => ({ ...PROGRAM_HEADERS, ...extra });

/** Mounts the pages of this host outside the API. */
export function mountPages(app: Hono<Environment>, dependencies: PagesDependencies): void {
  const { accounts, signUp, findSession, hasSingleSignOn, random } = dependencies;
  const { baseUrl } = dependencies.addresses;
  const canResetPassword = dependencies.passwordResets.sendsMail;

  const scripted = (build: (nonce: string) => string) => scriptedResponse(random, build);

  // Redirects browsers to `baseUrl`, because cookies and the origin check depend on its host name.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const isElsewhere = url.host !== new URL(baseUrl).host && context.req.method === "GET";
    if (isElsewhere && wantsPage(context.req.raw.headers)) return redirectTo(baseUrl + url.pathname + url.search);
    return next();
  });

  app.get("/", async (context) => {
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + HOME);
    return scripted((nonce) => signInPage(nonce, HOME, { signUp, hasSingleSignOn, canResetPassword }));
  });

  app.get("/-/sign-in", async (context) => {
    const next = localPath(context.req.query("next"), baseUrl);
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + next);
    const page = scripted((nonce) => signInPage(nonce, next, { signUp, hasSingleSignOn, canResetPassword }));
    return next.startsWith(OAUTH_PATHS.authorize) ? openedByApp(page) : page;
  });

  app.get("/-/set-up", async (context) => {
    const token = context.req.query("token") ?? "";
    const isOpen = await accounts.maySetUp(token);
    return isOpen ? scripted((nonce) => setUpPage(nonce, token)) : htmlResponse(setUpOverPage(), 404);
  });

  app.get(READY_PATH, ({ req, env }) => {
    const question = { url: new URL(req.url), headers: req.raw.headers, address: env.address };
    return answerReady(dependencies, question, headersWith);
  });

  const { collectMetrics, bearsMetricsToken } = dependencies;
  if (collectMetrics !== undefined) {
    // Without the token, this path is answered as if it did not exist.
    app.get(METRICS_PATH, ({ req: { raw } }, next) =>
      bearsMetricsToken(raw.headers) ? answerMetrics(collectMetrics, raw.headers) : next(),
    );
  }

  for (const path of Object.values(ICON_PATHS)) {
    // Sandboxed pages have an opaque origin, so their icon is cross-origin.
    app.get(path, () =>
      iconResponse(path, (extra) => headersWith({ "Cross-Origin-Resource-Policy": "cross-origin", ...extra })),
    );
  }

  app.get(`${SHELL_PATH}*`, ({ req }) => dependencies.serveShellFile(req.raw, req.path) ?? missing());

  mountAgentPages(app, { baseUrl, headersWith });
  mountPeoplePages(app, dependencies);
  mountDownloads(app, dependencies);
  mountOAuthPages(app, dependencies);
  mountPortal(app, dependencies);
  mountGuestPages(app, { baseUrl });
  mountLiveLinks(app, { ...dependencies, baseUrl });

  mountVersionLinks(app, dependencies);

  app.notFound(missing);
}
