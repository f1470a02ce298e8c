import { executeSql } from "./direct-sql.ts";
import type { Service } from "./service.ts";
import { signIn } from "./sessions.ts";

/** The headers with which a browser opens a link. */
export const HTML = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

export interface Reader {
  cookie: string;
}

export interface Person extends Reader {
  slug: string;
  email: string;
  token: string;
}

/** The files of a report with more than one page. */
export const REPORT_FILES = [
  { path: "index.html", content: "<!doctype html><title>Ours & <b>yours</b></title><link rel=stylesheet href=a.css>" },
  { path: "a.css", content: "p { color: teal }" },
  { path: "more.html", content: "<p>more" },
  { path: "image.svg", content: "<svg xmlns='http://www.w3.org/2000/svg'/>" },
];

/** Returns the address of the frame in the page of a version link, or undefined for other pages. */
export function framedBy(html: string): string | undefined {
  const state = /<script id="state" type="application\/json">(.*?)<\/script>/.exec(html)?.[1];
  return state === undefined ? undefined : JSON.parse(state).src;
}

/** Returns what people with browsers do at a service. */
export function readersOf(service: Service) {
  async function person(): Promise<Person> {
    const user = await service.build.user();
    return { ...user, cookie: await signIn(service, user) };
  }

  /** Opens a page of the application host without following redirects. */
  const open = (path: string, cookie: string | undefined, headers: Record<string, string> = HTML) =>
    fetch(service.baseUrl + path, {
      headers: { ...headers, ...(cookie === undefined ? {} : { Cookie: cookie }) },
      redirect: "manual",
    });

  /** Returns the address of the frame in the page that a reader gets, or undefined for other pages. */
  async function frameOf(code: string, { cookie }: Reader, file = ""): Promise<string | undefined> {
    const response = await open(`/${code}/${file}`, cookie);
    return framedBy(await response.text());
  }

  async function openedFrame(code: string, reader: Reader): Promise<string> {
    const src = await frameOf(code, reader);
    if (src === undefined) throw new Error("The report doesn't open.");
    return src;
  }

  const mayOpen = async (code: string, reader: Reader) => (await frameOf(code, reader)) !== undefined;

  /** Removes a person from an organization. */
  const leave = (organizationSlug: string, userSlug: string) =>
    executeSql(
      service.database,
      `delete from memberships where workspace_id = (select id from workspaces where slug = '${organizationSlug}')
        and user_id = (select user_id from memberships join workspaces on workspaces.id = workspace_id where slug = '${userSlug}')`,
    );

  return { person, open, frameOf, openedFrame, mayOpen, leave };
}

export const statusOf = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
  (await fetch(url, { headers, redirect: "manual" })).status;
