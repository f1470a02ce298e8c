import type { ThreadView } from "./model.ts";

/** Answers that are read at most. */
const PAGES = 50;
/** Milliseconds to wait for the server. */
const TIMEOUT = 20_000;
const UNREACHABLE = "Can't reach the server. Check your connection and try again.";

/** What the server says, or why not in words to show. The status is 0 if it can't be reached. */
type Answer<Content> =
  | { content: Content; status: number; error?: undefined }
  | { error: string; status: number; content?: undefined };

/** What the server says about threads. */
export interface Listed {
  threads: ThreadView[];
  next_cursor: string | null;
  changes_cursor: string;
  /** Guests aren't told. */
  counts?: { open: number; addressed: number; resolved: number };
  may_comment: boolean;
  may_manage: boolean;
  enabled: boolean;
}

interface RequestOptions {
  headers?: Record<string, string>;
  credentials?: RequestCredentials;
}

/** Creates what asks the server at addresses that start with `base`. */
export function createRequests(base: string, { headers = {}, credentials = "same-origin" }: RequestOptions = {}) {
  /** Gets an answer, or posts a body. Never rejects. */
  async function call<Content>(path: string, body?: object, signal?: AbortSignal): Promise<Answer<Content>> {
    const posted = { "Content-Type": "application/json", ...headers };
    try {
      const response = await fetch(base + path, {
        credentials,
        ...(body === undefined ? { headers } : { method: "POST", headers: posted, body: JSON.stringify(body) }),
        signal: signal ?? AbortSignal.timeout(TIMEOUT),
      });
      const content = await response.json();
      const { status } = response;
      return response.ok ? { content, status } : { error: String(content.error ?? UNREACHABLE), status };
    } catch {
      return { error: UNREACHABLE, status: 0 };
    }
  }

  async function act(path: string, body: object): Promise<{ error?: undefined } | { error: string }> {
    const { error } = await call(path, body);
    return error === undefined ? {} : { error };
  }

  /** Reads all threads. `path` ends with a query. */
  async function list(path: string): Promise<Answer<Listed>> {
    const threads: ThreadView[] = [];
    let answer = await call<Listed>(path);
    for (let page = 1; answer.content !== undefined; page++) {
      threads.push(...answer.content.threads);
      const { next_cursor: cursor } = answer.content;
      if (cursor === null || page >= PAGES) return { ...answer, content: { ...answer.content, threads } };
      answer = await call<Listed>(`${path}&cursor=${encodeURIComponent(cursor)}`);
    }
    return answer;
  }

  /** Reads what changed since an earlier answer, and all threads if some are gone. */
  async function listAgain(path: string, known: Listed): Promise<Answer<Listed>> {
    const answer = await list(`${path}&since=${encodeURIComponent(known.changes_cursor)}`);
    if (answer.content === undefined) return answer;
    const changed = new Map(answer.content.threads.map((thread) => [thread.id, thread]));
    const merged = new Map([...known.threads.map((thread) => [thread.id, thread] as const), ...changed]);
    const { open = -1, addressed = 0, resolved = 0 } = answer.content.counts ?? {};
    // Fewer than are counted: one has just been added, and is the next change.
    if (merged.size > open + addressed + resolved) return list(path);
    return { ...answer, content: { ...answer.content, threads: [...merged.values()] } };
  }

  /** Waits until a report's threads change: false if none did for a while, undefined if that can't be known now. */
  async function wait(path: string, since: string, signal: AbortSignal): Promise<boolean | undefined> {
    const answer = await call<{ changes_cursor: string }>(
      `${path}since=${encodeURIComponent(since)}`,
      undefined,
      signal,
    );
    return answer.content && answer.content.changes_cursor !== since;
  }

  return { call, act, list, listAgain, wait };
}
