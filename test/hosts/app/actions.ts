import { ApiError } from "../../../src/client/client.ts";
import { setFolderRoute } from "../../../src/contract/cabinet/filing.ts";
import type { BodyInput } from "../../../src/contract/model/route.ts";
import { removeMemberRoute, setRoleRoute } from "../../../src/contract/people/members.ts";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { deleteCodeRoute } from "../../../src/contract/reports/delete-code.ts";
import { listRoute } from "../../../src/contract/reports/lists.ts";
import {
  deleteGroupRoute,
  groupRoute,
  renameRoute,
  setLatestRoute,
} from "../../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../../src/contract/reports/visibility.ts";
import { buildUpload, type Service } from "../../support/service.ts";

type UploadOverrides = Partial<BodyInput<typeof uploadRoute>>;

/** What a holder of a token does through the API, in one word each. */
export function actionsOf(service: Pick<Service, "client" | "baseUrl" | "contentUrl">) {
  const client = (token: string) => service.client(token);
  const publish = (token: string, overrides: UploadOverrides = {}) =>
    client(token).call(uploadRoute, { body: buildUpload(overrides) });

  /** Publishes versions 1 to `count` of a group, one after the other. */
  async function publishVersions(token: string, name: string, count: number, overrides: UploadOverrides = {}) {
    const codes: string[] = [];
    for (let number = 1; number <= count; number++) {
      codes.push((await publish(token, { name, title: `Version ${number}`, ...overrides })).code);
    }
    return codes;
  }

  /** The answer to a read-back: of index.html unless a file is named. */
  const read = (token: string | undefined, code: string, file = "") =>
    fetch(
      `${service.contentUrl}/${code}/${file}`,
      token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
    );

  return {
    publish,
    publishVersions,
    read,
    group: (token: string, name: string) => client(token).call(groupRoute, { query: { name } }),
    list: (token: string) => client(token).call(listRoute),
    rename: (token: string, name: string, newName: string) =>
      client(token).call(renameRoute, { body: { name, newName } }),
    setLatest: (token: string, name: string, code: string) =>
      client(token).call(setLatestRoute, { body: { name, code } }),
    setVisibility: (token: string, body: BodyInput<typeof setVisibilityRoute>) =>
      client(token).call(setVisibilityRoute, { body }),
    setFolder: (token: string, body: BodyInput<typeof setFolderRoute>) => client(token).call(setFolderRoute, { body }),
    removeMember: (token: string, body: BodyInput<typeof removeMemberRoute>) =>
      client(token).call(removeMemberRoute, { body }),
    setRole: (token: string, body: BodyInput<typeof setRoleRoute>) => client(token).call(setRoleRoute, { body }),
    deleteCode: (token: string, code: string) => client(token).call(deleteCodeRoute, { body: { code } }),
    deleteGroup: (token: string, name: string) => client(token).call(deleteGroupRoute, { body: { name } }),
    /** A page of the application host, redirects not followed. */
    open: (path: string, init: RequestInit = {}) => fetch(`${service.baseUrl}${path}`, { redirect: "manual", ...init }),
  };
}

export type Actions = ReturnType<typeof actionsOf>;

/** 200 when a call succeeds, else the status with which it was refused. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
}

/** Waits for calls made at once; each result is an answer or the status of a refusal. */
export async function settle<Answer>(calls: readonly Promise<Answer>[]) {
  const results = await Promise.allSettled(calls);
  const answers: Answer[] = [];
  const refusals: number[] = [];
  for (const result of results) {
    if (result.status === "fulfilled") answers.push(result.value);
    else if (result.reason instanceof ApiError) refusals.push(result.reason.status);
    else throw result.reason;
  }
  return { answers, refusals };
}
