import { expect, test } from "bun:test";
import { uniqueName, useService } from "../support/service.ts";
import { use } from "../support/use.ts";
import { connectOverHttp, INDEX, publishAs, published, publishTwiceAs } from "./support.ts";

/** Connects an agent of a user, and one of a reader who is a stranger to them. */
export function createToolScene() {
  const service = useService();
  const user = use(() => service.build.user());
  const reader = use(() => service.build.user());
  const agent = use(() => connectOverHttp(service, user.token));
  const stranger = use(() => connectOverHttp(service, reader.token));

  const publish = (args: Record<string, unknown> = {}) => publishAs(agent, args);
  const publishTwice = () => publishTwiceAs(agent);

  /** Tests a tool: what it does with valid input, and how it refuses invalid input. */
  function tool(
    name: string,
    works: () => Promise<void>,
    refusals: readonly [string, () => Record<string, unknown> | Promise<Record<string, unknown>>, RegExp][],
  ): void {
    test(`${name} works`, works);
    test.each([...refusals])(`${name} refuses %s`, async (_, args, message) => {
      expect(await agent.refusal(name, await args())).toMatch(message);
    });
  }

  /** Publishes a report as the stranger. Returns its name. */
  async function nameOfOthers(): Promise<string> {
    const name = uniqueName();
    await stranger.use("publish_report", { name, files: [INDEX] }, published);
    return name;
  }

  return { service, user, reader, agent, stranger, publish, publishTwice, tool, nameOfOthers };
}
