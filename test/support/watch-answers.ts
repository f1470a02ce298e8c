import type { DescribedApi, Sent } from "../hosts/app/described-api.ts";

/** The tests whose requests and answers are compared with the API description. */
const WATCHED = "/test/hosts/app/";

const send = globalThis.fetch;
let described: DescribedApi | undefined;

/** Throws if an answer, or an accepted request, contradicts openapi.json, so that the test fails. */
async function watchedFetch(input: string | URL | Request, init?: BunFetchRequestInit): Promise<Response> {
  const response = await send(input, init);
  if (!Bun.main.includes(WATCHED)) return response;
  described ??= (await import("../hosts/app/described-api.ts")).readDescribedApi();
  await described.check(sentBy(input, init), response);
  return response;
}

function sentBy(input: string | URL | Request, init: BunFetchRequestInit = {}): Sent {
  const given = input instanceof Request ? input : undefined;
  return {
    method: init.method ?? given?.method ?? "GET",
    url: new URL(given?.url ?? String(input)),
    headers: new Headers(init.headers ?? given?.headers),
    body: init.body,
  };
}

globalThis.fetch = Object.assign(watchedFetch, { preconnect: send.preconnect });
