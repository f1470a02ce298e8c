import type { BodyInput, QueryInput } from "../../../../src/contract/model/route.ts";
import { inboxRoute } from "../../../../src/contract/reviews/inbox.ts";
import { commentsRoute, createThreadRoute, replyRoute } from "../../../../src/contract/reviews/threads.ts";
import type { EngineName } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { use } from "../../../support/use.ts";
import { actionsOf } from "../actions.ts";

/** Creates a service with an organization, and functions with which its people comment on reports of its owner. */
export function createCommentScene(engine: EngineName) {
  const service = useService({ engine });
  const act = actionsOf(service);
  const people = use(() => addOrganization(service));
  const tokens = use(async () => {
    const tokenOf = (userSlug: string) => service.build.token({ userSlug, workspaceSlug: people.slug });
    const stranger = await service.build.user();
    return {
      owner: await tokenOf(people.owner.slug),
      member: await tokenOf(people.member.slug),
      stranger: stranger.token,
    };
  });

  const list = (token: string, query: QueryInput<typeof commentsRoute>) =>
    service.client(token).call(commentsRoute, { query });
  const create = (token: string, body: BodyInput<typeof createThreadRoute>) =>
    service.client(token).call(createThreadRoute, { body });
  const reply = (token: string, id: string, text: string) =>
    service.client(token).call(replyRoute, { body: { id, text } });
  const inbox = (token: string) => service.client(token).call(inboxRoute, { query: {} });

  async function report(visibility: "org" | "private" | "public" = "org") {
    const name = uniqueName();
    await act.publish(tokens.owner, { name, visibility });
    return name;
  }

  return { service, act, people, tokens, list, create, reply, inbox, report };
}
