import { describe, expect, test } from "bun:test";
import {
  commentCountsRoute,
  commentSettingsRoute,
  mentionCandidatesRoute,
} from "../../../../src/contract/reviews/inbox.ts";
import {
  commentThreadRoute,
  deleteCommentRoute,
  editCommentRoute,
  readCommentsRoute,
  reopenThreadRoute,
  resolveThreadRoute,
  waitForCommentsRoute,
} from "../../../../src/contract/reviews/threads.ts";
import { shareWithOrganizationRoute } from "../../../../src/contract/sharing/organization.ts";
import { shareWithPeopleRoute } from "../../../../src/contract/sharing/people.ts";
import { restoreTrashRoute, trashRoute } from "../../../../src/contract/trash/trash.ts";
import { describeEachEngine } from "../../../support/engines.ts";
import { addPerson } from "../../../support/people.ts";
import { statusOf } from "../actions.ts";
import { createCommentScene } from "./comment-scene.ts";

describeEachEngine("comments", (engine) => {
  const { service, act, people, tokens, list, create, reply, inbox, report } = createCommentScene(engine);

  describe("who may not read", () => {
    test("a report learns nothing", async () => {
      const name = await report("private");
      const thread = await create(tokens.owner, { name, text: "Secret" });
      const comment = thread.comments[0]?.id ?? "";
      for (const token of [tokens.member, tokens.stranger]) {
        const client = service.client(token);
        const answers = await Promise.all([
          statusOf(list(token, { name })),
          statusOf(list(token, { code: thread.report.code })),
          statusOf(client.call(commentThreadRoute, { query: { id: thread.id } })),
          statusOf(create(token, { name, text: "Hm" })),
          statusOf(reply(token, thread.id, "Hm")),
          statusOf(client.call(editCommentRoute, { body: { id: comment, text: "Hm" } })),
          statusOf(client.call(deleteCommentRoute, { body: { id: comment } })),
          statusOf(client.call(resolveThreadRoute, { body: { id: thread.id } })),
          statusOf(client.call(reopenThreadRoute, { body: { id: thread.id } })),
          statusOf(client.call(readCommentsRoute, { body: { name } })),
          statusOf(client.call(commentCountsRoute, { query: { name } })),
          statusOf(client.call(mentionCandidatesRoute, { query: { name } })),
          statusOf(client.call(commentSettingsRoute, { body: { name, enabled: false } })),
          statusOf(client.call(waitForCommentsRoute, { query: { name, since: "0", seconds: 0 } })),
        ]);
        expect<number[]>(answers).toEqual(answers.map(() => 404));
      }
    });

    test("one version sees no thread of it", async () => {
      const name = await report();
      const old = await create(tokens.owner, { name, text: "On a withdrawn version" });
      await act.publish(tokens.owner, { name });
      const next = await create(tokens.owner, { name, text: "On the current one" });
      await act.setVisibility(tokens.owner, { code: old.version_code ?? "", visibility: "private" });
      const { threads, counts } = await list(tokens.member, { name });
      expect(threads.map(({ id }) => id)).toEqual([next.id]);
      expect(counts.open).toBe(1);
      const direct = service.client(tokens.member).call(commentThreadRoute, { query: { id: old.id } });
      expect(await statusOf(direct)).toBe(404);
    });

    test("a version sees no thread of it when it is deleted", async () => {
      const name = await report();
      const text = `@${people.member.slug}, on a withdrawn version`;
      const old = await create(tokens.owner, { name, text });
      await act.publish(tokens.owner, { name });
      const code = old.version_code ?? "";
      await act.setVisibility(tokens.owner, { code, visibility: "private" });
      await act.deleteCode(tokens.owner, code);
      const idsFor = async (token: string) => (await list(token, { name })).threads.map(({ id }) => id);
      const mentioned = async () => (await inbox(tokens.member)).entries.map(({ thread_id: id }) => id);
      expect(await idsFor(tokens.member)).toEqual([]);
      expect(await mentioned()).not.toContain(old.id);
      const member = service.client(tokens.member);
      expect(await statusOf(member.call(commentThreadRoute, { query: { id: old.id } }))).toBe(404);
      expect(await idsFor(tokens.owner)).toEqual([old.id]);

      const owner = service.client(tokens.owner);
      const { entries } = await owner.call(trashRoute, { query: { owner: people.slug, code } });
      await owner.call(restoreTrashRoute, { body: { ids: entries.map(({ id }) => id) } });
      expect(await idsFor(tokens.member)).toEqual([]);
      await act.setVisibility(tokens.owner, { name, visibility: "public" });
      expect(await idsFor(tokens.member)).toEqual([old.id]);
      expect(await mentioned()).toContain(old.id);
      // Threads of a version that all could read stay readable.
      await act.deleteCode(tokens.owner, code);
      expect(await idsFor(tokens.member)).toEqual([old.id]);
    });

    test("a deleted version keeps its threads if it had the report's readers, however that was said", async () => {
      const name = await report();
      const { id, version_code: code } = await create(tokens.owner, { name, text: "On a version shared again" });
      await act.publish(tokens.owner, { name });
      await service.client(tokens.owner).call(shareWithOrganizationRoute, { body: { code: code ?? "", shared: true } });
      await act.deleteCode(tokens.owner, code ?? "");
      expect((await list(tokens.member, { name })).threads.map((thread) => thread.id)).toEqual([id]);
    });

    test("but one version sees its threads alone, and mentions only those who commented", async () => {
      const name = await report("private");
      const first = await create(tokens.owner, { name, text: "First" });
      await act.publish(tokens.owner, { name });
      await create(tokens.owner, { name, text: "Second" });
      const reader = await addPerson(service);
      const code = first.version_code ?? "";
      const body = { code, add: [reader.email] };
      expect(await statusOf(list(reader.token, { code }))).toBe(404);
      await service.client(tokens.owner).call(shareWithPeopleRoute, { body });
      const found = await service.client(reader.token).call(mentionCandidatesRoute, { query: { code } });
      expect(found.people.map(({ slug }) => slug)).toEqual([people.owner.slug]);
      expect((await list(reader.token, { code })).threads.map(({ id }) => id)).toEqual([first.id]);
      expect(await statusOf(list(reader.token, { name }))).toBe(404);
    });
  });
});
