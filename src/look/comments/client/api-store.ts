import type { CommentStore, Mentionable, Outcome } from "./model.ts";
import { createRequests, type Listed } from "./requests.ts";

/** Threads of one answer. */
const PAGE = 200;

interface ApiStore {
  /** The code of any version of the report. */
  code: string;
  /** The code of the version that is shown now, on which new threads are started. */
  shownCode(): string;
  /** Where a reader who isn't signed in can sign in. */
  signInUrl: string;
}

/** Keeps comments on the server, for readers who are signed in. */
export function createApiStore({ code, shownCode, signInUrl }: ApiStore): CommentStore {
  const { call, act, list, listAgain, wait } = createRequests("/api/");
  const path = `comments?code=${code}&limit=${PAGE}`;
  let known: Listed | undefined;

  async function load(): ReturnType<CommentStore["load"]> {
    const { content, error, status } = await (known === undefined ? list(path) : listAgain(path, known));
    if (content === undefined) {
      if (status !== 401) return { error };
      return { threads: [], commenting: { may: "sign-in", url: signInUrl }, isEnabled: true, mayManage: false };
    }
    known = content;
    return {
      threads: content.threads,
      commenting: content.may_comment ? { may: "comment", asGuest: false } : { may: "read" },
      isEnabled: content.enabled,
      mayManage: content.may_manage,
    };
  }

  /** Reading a thread changes it for this reader alone, so the server doesn't list it as changed. */
  async function markRead(id: string): Promise<Outcome> {
    const outcome = await act("comments/read", { code, ids: [id] });
    if (outcome.error !== undefined || known === undefined) return outcome;
    known = {
      ...known,
      threads: known.threads.map((thread) => (thread.id === id ? { ...thread, unread: 0 } : thread)),
    };
    return outcome;
  }

  async function findPeople(start: string): Promise<readonly Mentionable[]> {
    const { content } = await call<{ people: { slug: string; display_name: string | null }[] }>(
      `comments/people?code=${code}&q=${encodeURIComponent(start)}`,
    );
    return content?.people.map(({ slug, display_name }) => ({ slug, name: display_name })) ?? [];
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
    markRead,
    setEnabled: (enabled) => act("comments/settings", { code, enabled }),
    waitForChange: async (signal) =>
      known === undefined ? false : wait(`comments/wait?code=${code}&`, known.changes_cursor, signal),
  };
}
