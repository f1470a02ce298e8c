import { beforeAll, expect, test } from "bun:test";
import { createThreadRoute, replyRoute, waitForCommentsRoute } from "../../src/contract/reviews/threads.ts";
import { shareWithPeopleRoute } from "../../src/contract/sharing/people.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { startReplicas } from "./two-replicas.ts";

const TRIES = 20;

describeIf("comments on two replicas", postgresUnavailable(), () => {
  const replicas = use(startReplicas);
  let owner: { token: string };
  let reader: { token: string; email: string };

  beforeAll(async () => {
    [owner, reader] = await Promise.all([replicas.first.build.user(), replicas.first.build.user()]);
  });

  async function share() {
    const { first, second } = replicas;
    const name = uniqueName();
    await actionsOf(first).publish(owner.token, { name, visibility: "private" });
    await first.client(owner.token).call(shareWithPeopleRoute, { body: { name, add: [reader.email] } });
    const client = second.client(reader.token);
    return {
      name,
      write: first.client(owner.token),
      wait: (since: string) => client.call(waitForCommentsRoute, { query: { name, since, seconds: 30 } }),
    };
  }

  test(`a reader at the other replica sees each of ${TRIES} comments, in their order`, async () => {
    const { name, write, wait } = await share();
    const seen: string[] = [];
    const thread = await write.call(createThreadRoute, { body: { name, text: "First", anchor: { kind: "report" } } });
    let { changes_cursor: cursor } = await wait("0");
    for (let round = 0; round < TRIES; round++) {
      const waiting = wait(cursor);
      await write.call(replyRoute, { body: { id: thread.id, text: `Comment ${round}` } });
      const { threads, changes_cursor } = await waiting;
      cursor = changes_cursor;
      seen.push(threads.flatMap(({ comments }) => comments.at(-1)?.text ?? []).join());
    }
    expect(seen).toEqual(Array.from({ length: TRIES }, (_, round) => `Comment ${round}`));
  });

  test("a reader who loses the report waits no longer", async () => {
    const { name, write, wait } = await share();
    await write.call(createThreadRoute, { body: { name, text: "First", anchor: { kind: "report" } } });
    const { changes_cursor } = await wait("0");
    const waiting = wait(changes_cursor).then(
      () => "answered",
      (error: unknown) => String(error),
    );
    await write.call(shareWithPeopleRoute, { body: { name, remove: [reader.email] } });
    expect(await waiting).toContain("not found");
  });
});
