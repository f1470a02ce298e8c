import { describe, expect, test } from "bun:test";
import { noteSeenRoute } from "../../../../src/contract/seen/seen.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { HTML } from "../../../support/readers.ts";
import { useService } from "../../../support/service.ts";
import { pageClient, signIn } from "../../../support/sessions.ts";
import { guestsOf, setGuestPassword } from "../sharing/guests.ts";
import { createSeenScene, FRAME } from "./seen-scene.ts";

const TAB = { ...HTML, "Sec-Fetch-Dest": "document" };

describeOneEngine("seen by", (engine) => {
  const service = useService({ engine });
  const { act, readers, setSeenBy, seen, summary, settledSummary, recording, organization, look } =
    createSeenScene(service);
  const guests = guestsOf(service);

  const visit = async (code: string, headers: Record<string, string> = TAB, path = "") =>
    (await fetch(`${service.contentUrl}/${path}${code}/`, { headers, redirect: "manual" })).status;

  describe("what counts", () => {
    test.concurrent("each way to a public report, and reading it unchanged from the browser's cache", async () => {
      const { token, name, code } = await recording("counts");
      const first = await fetch(`${service.contentUrl}/${code}/`, { headers: TAB });
      const etag = first.headers.get("etag") ?? "";
      expect(await visit(code, { ...TAB, "If-None-Match": etag })).toBe(304);
      await visit(code, FRAME);
      await visit(code, FRAME, "~embed/");
      await settledSummary(token, name, {
        versions: [[1, 4]],
        links: { version: 2, live: 1, embed: 1 },
        readers: [],
        refused: 0,
      });
    });

    test.concurrent("browsers without fetch metadata, but no programs, scripts, prefetching or other files", async () => {
      const { token, name, code } = await recording("counts");
      await visit(code, { ...HTML, "Upgrade-Insecure-Requests": "1" });
      await visit(code, {});
      await visit(code, { "Sec-Fetch-Dest": "empty" });
      await visit(code, { ...TAB, "Sec-Purpose": "prefetch;prerender" });
      await fetch(`${service.contentUrl}/${code}/`, { method: "HEAD", headers: TAB });
      await fetch(`${service.contentUrl}/${code}/missing.css`, { headers: TAB });
      await act.read(token, code);
      // What is counted last shows that all of it was looked at.
      await visit(code, FRAME);
      await settledSummary(token, name, {
        versions: [[1, 2]],
        links: { version: 1, live: 1 },
        readers: [],
        refused: 0,
      });
    });

    test.concurrent("each guest link by itself, without naming guests, and wrong passwords as refused", async () => {
      const { token, name, code } = await recording("names", { visibility: "private" });
      const [link, guarded] = [await guests.create(token, { name }), await guests.create(token, { code })];
      for (let times = 0; times < 2; times++) {
        const { current } = await guests.opened(link.url);
        expect((await fetch(current.src, { headers: FRAME })).status).toBe(200);
      }
      await setGuestPassword(service, guarded.id, "a password of guests");
      expect((await guests.open(guarded.url, { password: "wrong" })).status).toBe(403);
      const { current } = await guests.opened(guarded.url, { password: "a password of guests" });
      expect((await fetch(current.src, { headers: FRAME })).status).toBe(200);
      await settledSummary(token, name, {
        versions: [[1, 3]],
        links: { [link.id]: 2, [guarded.id]: 1 },
        readers: [],
        refused: 1,
      });
    });

    test.concurrent("nothing in a workspace that records nothing", async () => {
      const { slug, token, name, code } = await recording("off");
      const witness = await recording("counts");
      await visit(code);
      await visit(witness.code);
      await settledSummary(witness.token, witness.name, {
        versions: [[1, 1]],
        links: { version: 1 },
        readers: [],
        refused: 0,
      });
      expect(await seen(token, name)).toEqual({ seen_by: "off", versions: [], links: [], readers: [], refused: null });
      await setSeenBy(token, slug, "counts");
      expect((await summary(token, name)).versions).toEqual([[1, 0]]);
    });

    test.concurrent("the people who open a report, with the versions that each has seen", async () => {
      const { ownerToken, token, name, code, owner: governor, admin, member } = await organization("names");
      await look(code, admin);
      const second = await act.publish(token, { name, visibility: "org" });
      await look(second.code, governor);
      await look(second.code, governor);
      // The one who published it doesn't count.
      await look(second.code, member);
      await settledSummary(ownerToken, name, {
        versions: [
          [2, 2],
          [1, 1],
        ],
        links: { private: 3 },
        readers: [
          [governor.slug, 2, [2]],
          [admin.slug, 1, [1]],
        ],
        refused: 0,
      });
      expect(await summary(token, name)).toEqual(await summary(ownerToken, name));
    });

    test.concurrent("people who open a report in the portal", async () => {
      const { ownerToken, name, code, admin } = await organization("names");
      const cookie = await signIn(service, admin);
      expect(await pageClient(service, cookie).call(noteSeenRoute, { body: { code } })).toEqual({ ok: true });
      await settledSummary(ownerToken, name, {
        versions: [[1, 1]],
        links: { portal: 1 },
        readers: [[admin.slug, 1, [1]]],
        refused: 0,
      });
    });

    test.concurrent("no names of people whose browser asks for privacy, nor where only numbers are recorded", async () => {
      const named = await organization("names");
      await look(named.code, named.admin, { "Sec-GPC": "1" });
      await look(named.code, named.owner, { DNT: "1" });
      const counted = await organization("counts");
      await look(counted.code, counted.admin);
      const expected = (openings: number) => ({
        versions: [[1, openings]],
        links: { private: openings },
        readers: [],
        refused: 0,
      });
      await settledSummary(named.ownerToken, named.name, expected(2));
      await settledSummary(counted.ownerToken, counted.name, expected(1));
    });

    test.concurrent("attempts of people who may not read it, as a number", async () => {
      const { ownerToken, name, code, stranger } = await organization("names", { visibility: "private" });
      const cookie = await signIn(service, stranger);
      expect((await readers.open(`/${code}/`, cookie)).status).toBe(404);
      expect((await readers.open(`/${name}/`, cookie)).status).toBe(404);
      expect(await visit(code)).toBe(404);
      // These lead to the sign-in page.
      await readers.open(`/${code}/`, undefined);
      await readers.open(`/${name}/`, undefined);
      await settledSummary(ownerToken, name, { versions: [[1, 0]], links: {}, readers: [], refused: 3 });
    });
  });
});
