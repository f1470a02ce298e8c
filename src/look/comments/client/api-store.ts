import type { Commenting, CommentStore, Mentionable, Outcome, ThreadView } from "./model.ts";

/** Threads of one answer, and answers that are read at most. */
const PAGE = 200;
const PAGES = 50;
/** Milliseconds to wait for the server. */
const TIMEOUT = 20_000;
const UNREACHABLE = "Can't reach the server. Check your connection and try again.";

interface ApiStore {
  /** The code of any version of the report. */
  code: string;
  /** The code of the version that is shown now, on which new threads are started. */
  shownCode(): string;
  /** Where a reader who isn't signed in can sign in. */
  signInUrl: string;
}

interface Listed {
  threads: ThreadView[];
  next_cursor: string | null;
  changes_cursor: string;
  may_comment: boolean;
  may_manage: boolean;
  enabled: boolean;
}

type Answer<Content> = { content: Content; status: number; error?: undefined } | { error: string; status: number };

/** Keeps comments on the server, for readers who are signed in. */
export function createApiStore({ code, shownCode, signInUrl }: ApiStore): CommentStore {
  let changesCursor: string | undefined;

  async function call<Content>(path: string, body?: object, signal?: AbortSignal): Promise<Answer<Content>> {
    try {
      const response = await fetch(`/api/${path}`, {
        method: body === undefined ? "GET" : "POST",
        ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(TIMEOUT),
      });
      const content = await response.json();
      const { status } = response;
      return response.ok ? { content, status } : { error: String(content.error ?? UNREACHABLE), status };
    } catch {
      return { error: UNREACHABLE, status: 0 };
    }
  }

  async function act(path: string, body: object): Promise<Outcome> {
    const { error } = await call(path, body);
    return error === undefined ? {} : { error };
  }

  async function load(): ReturnType<CommentStore["load"]> {
    const threads: ThreadView[] = [];
    let commenting: Commenting = { may: "read" };
    let [isEnabled, mayManage] = [true, false];
    let cursor = "";
    for (let page = 0; page < PAGES; page++) {
      const answer = await call<Listed>(`comments?code=${code}&limit=${PAGE}${cursor}`);
      if (answer.error !== undefined) {
        if (answer.status !== 401) return { error: answer.error };
        return { threads: [], commenting: { may: "sign-in", url: signInUrl }, isEnabled, mayManage };
      }
      const { content } = answer;
      threads.push(...content.threads);
      if (content.may_comment) commenting = { may: "comment", asGuest: false };
      [isEnabled, mayManage] = [content.enabled, content.may_manage];
      changesCursor = content.changes_cursor;
      if (content.next_cursor === null) break;
      cursor = `&cursor=${encodeURIComponent(content.next_cursor)}`;
    }
    return { threads, commenting, isEnabled, mayManage };
  }

  async function findPeople(start: string): Promise<readonly Mentionable[]> {
    const answer = await call<{ people: { slug: string; display_name: string | null }[] }>(
      `comments/people?code=${code}&q=${encodeURIComponent(start)}`,
    );
    if (answer.error !== undefined) return [];
    return answer.content.people.map(({ slug, display_name }) => ({ slug, name: display_name }));
  }

  return {
    load,
    findPeople,
    start: (anchor, text, { onlyVersion }) =>
      act("comments/create", { code: shownCode(), anchor, text, only_version: onlyVersion }),
    reply: (id, text) => act("comments/reply", { id, text }),
    edit: (id, text) => act("comments/edit", { id, text }),
    remove: (id) => act("comments/delete", { id }),
    setState: (id, state) => act(`comments/${state === "open" ? "reopen" : "resolve"}`, { id }),
    markRead: (id) => act("comments/read", { code, ids: [id] }),
    setEnabled: (enabled) => act("comments/settings", { code, enabled }),
    async waitForChange(signal) {
      if (changesCursor === undefined) return false;
      const since = encodeURIComponent(changesCursor);
      const answer = await call<{ changes_cursor: string }>(
        `comments/wait?code=${code}&since=${since}`,
        undefined,
        signal,
      );
      if (answer.error !== undefined) return undefined;
      return answer.content.changes_cursor !== changesCursor;
    },
  };
}
