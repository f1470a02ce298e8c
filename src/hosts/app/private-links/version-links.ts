import type { Context, Hono } from "hono";
import { unauthenticated } from "../../../domain/model/failure.ts";
import type { Addresses } from "../../../domain/model/links.ts";
import { CODE_PATTERN, INDEX_FILE } from "../../../domain/model/names.ts";
import type { LiveReaders } from "../../../domain/private-links/live-readers.ts";
import type { PrivateLinks } from "../../../domain/private-links/private-links.ts";
import type { Seen } from "../../../domain/seen/seen.ts";
import {
  missing,
  missingReport,
  redirectTo,
  refuseProgram,
  signInOrRefuse,
  toRequestPage,
} from "../../http/page-responses.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment } from "../mount.ts";

/** Returns whether a code belongs to a public report. */
export type PublicCodes = (code: string) => Promise<boolean>;

export interface VersionLinksDependencies {
  addresses: Addresses;
  publicCodes: PublicCodes;
  privateLinks: Pick<PrivateLinks, "open">;
  liveReaders: LiveReaders;
  seen: Pick<Seen, "noteRefusal">;
  findSession: FindSession;
}

interface RequestedFile {
  code: string;
  file: string;
  /** With its question mark, or empty. */
  search: string;
  hasSlash: boolean;
}

/** The path after a version link under which its page loads the report's other versions. */
const SIBLINGS = "~versions";
/** `/{code}`, `/{code}/`, `/{code}/{file}` or `/{code}/~versions`. */
const REPORT_PATH = /^\/([0-9A-Za-z]{16})(?:(\/)(~versions|[A-Za-z0-9._-]*))?$/;

/** Mounts version links. Public ones are redirected to the content host, others are framed for people who may read them. */
export function mountVersionLinks(app: Hono<Environment>, dependencies: VersionLinksDependencies): void {
  const { addresses, publicCodes, privateLinks, liveReaders, seen, findSession } = dependencies;
  const { baseUrl, contentUrl } = addresses;

  app.get("*", async (context) => {
    const [, code = "", slash, file = ""] = REPORT_PATH.exec(context.req.path) ?? [];
    if (!CODE_PATTERN.test(code)) return nothingFor(context.req.raw.headers);
    if (file === SIBLINGS) return openSiblings(context, code);
    const { search } = new URL(context.req.url);
    const requesting = toRequestPage(search, { code });
    if (requesting !== undefined) return requesting;
    if (await publicCodes(code)) return redirectTo(`${contentUrl}/${code}/${file}${search}`);
    return openPrivate(context, { code, file, search, hasSlash: slash !== undefined });
  });

  /** Answers paths that cannot be a report as reports that the client cannot access. */
  async function nothingFor(headers: Headers): Promise<Response> {
    if (headers.has("authorization") || (await findSession(headers)) === undefined) refuseProgram(headers);
    return missing();
  }

  async function openSiblings({ req, env }: Context<Environment>, code: string): Promise<Response> {
    const { headers } = req.raw;
    const session = headers.has("authorization") ? undefined : await findSession(headers);
    if (session === undefined) return nothingFor(headers);
    return env.serveSiblings({ code, reader: liveReaders.signedIn(session), missing });
  }

  async function openPrivate(context: Context<Environment>, requested: RequestedFile): Promise<Response> {
    const { headers } = context.req.raw;
    const { code, file, search, hasSlash } = requested;
    if (headers.has("authorization"))
      throw unauthenticated(
        `This link only works in a browser. To read the report with an access token, request ${contentUrl}/${code}/.`,
      );
    const session = await findSession(headers);
    const own = `/${code}/${file}${search}`;
    if (session === undefined) return signInOrRefuse(headers, baseUrl, own);
    const opened = await privateLinks.open(code, session);
    if (opened === undefined) {
      seen.noteRefusal({ code });
      return missingReport();
    }
    if (!hasSlash) return redirectTo(baseUrl + own);
    const { ticket, ...version } = opened;
    return context.env.serveVersion({ ...version, code, src: `${contentUrl}/${ticket}/${code}/${file || INDEX_FILE}` });
  }
}
