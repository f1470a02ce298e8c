import { newCode } from "../../../src/domain/model/codes.ts";
import { bearer, publishFiles, stableHeaders } from "../../support/content.ts";
import type { EngineName } from "../../support/engines.ts";
import { many } from "../../support/many.ts";
import { readersOf } from "../../support/readers.ts";
import { random, startService } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { actionsOf } from "../app/actions.ts";

/** States of a report that strangers can't distinguish. */
export const KINDS = ["unknown", "private", "shared with others", "deleted"] as const;
export type Kind = (typeof KINDS)[number];

export const STRANGERS = ["nobody", "a stranger with a session", "a stranger with a token"] as const;
export type Stranger = (typeof STRANGERS)[number];

/** The report is larger than most, so that the time shows if more than its existence is checked. */
const FILES = {
  "a.css": "p { color: teal }",
  ...Object.fromEntries(Array.from({ length: 90 }, (_, number) => [`file-${number}.txt`, `${number}`])),
};
const VERSIONS = 300;

interface Hidden {
  code: string;
  name: string;
}

/** Starts a service with hidden reports, and strangers who request them. */
export const useHiding = (engine: EngineName) => use(() => createHiding(engine));

async function createHiding(engine: EngineName) {
  const service = await startService({ engine });
  const act = actionsOf(service);
  const owner = await service.build.user();
  const stranger = await readersOf(service).person();

  async function hide(kind: Kind): Promise<Hidden> {
    // All names have the same length, because some errors quote them.
    const name = `hidden-${crypto.randomUUID()}`;
    if (kind === "unknown") return { name, code: newCode(random) };
    const visibility = kind === "shared with others" ? "org" : "private";
    const code = await publishFiles(service, owner.token, FILES, { visibility, name });
    if (kind === "deleted") await act.deleteGroup(owner.token, name);
    else await many(VERSIONS, () => act.publish(owner.token, { name }));
    return { name, code };
  }

  const hidden: Readonly<Record<Kind, Hidden>> = {
    unknown: await hide("unknown"),
    private: await hide("private"),
    "shared with others": await hide("shared with others"),
    deleted: await hide("deleted"),
  };

  const credentials: Readonly<Record<Stranger, Record<string, string>>> = {
    nobody: {},
    "a stranger with a session": { Cookie: stranger.cookie },
    "a stranger with a token": bearer(stranger.token),
  };

  /** Replaces `APP`, `CONTENT`, `OWNER`, `CODE` and `NAME` with the values for a kind. */
  const fillIn = (text: string, kind: Kind) =>
    text
      .replaceAll("APP", service.baseUrl)
      .replaceAll("CONTENT", service.contentUrl)
      .replaceAll("OWNER", owner.slug)
      .replaceAll("CODE", hidden[kind].code)
      .replaceAll("NAME", hidden[kind].name);

  const ask = (address: string, kind: Kind, by: Stranger, init: RequestInit = {}) =>
    fetch(fillIn(address, kind), {
      redirect: "manual",
      ...init,
      headers: { ...credentials[by], ...Object.fromEntries(new Headers(init.headers)) },
    });

  /** Returns a response as text, without what is specific to this request or was in its address. */
  async function tell(response: Response, kind: Kind): Promise<string> {
    const { status, headers } = response;
    const text = JSON.stringify({ status, headers: stableHeaders(headers), body: await response.text() });
    return text.replaceAll(hidden[kind].code, "CODE").replaceAll(hidden[kind].name, "NAME");
  }

  return { service, fillIn, ask, tell, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}
