import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { uniqueName, useService } from "../support/service.ts";
import {
  type Agent,
  anything,
  CONNECTIONS,
  connectOverHttp,
  INDEX,
  made,
  PIXEL,
  publishAs,
  publishTwiceAs,
  UNKNOWN_CODE,
} from "./support.ts";

describe("the rights of agents", () => {
  const service = useService();
  let agent: Agent;
  let stranger: Agent;

  beforeAll(async () => {
    const [user, other] = await Promise.all([service.build.user(), service.build.user()]);
    agent = await connectOverHttp(service, user.token);
    stranger = await connectOverHttp(service, other.token);
  });
  afterAll(async () => {
    await agent.client.close();
    await stranger.client.close();
  });

  const publish = (args: Record<string, unknown> = {}) => publishAs(agent, args);
  const publishTwice = () => publishTwiceAs(agent);

  test("each tool describes its input, output and effects", async () => {
    const { tools } = await agent.client.listTools();
    for (const { name, title, description = "", inputSchema, outputSchema, annotations = {} } of tools) {
      expect(title).toBeString();
      expect(description.length).toBeGreaterThan(60);
      // What reports contain is sent once, as text.
      expect(outputSchema === undefined).toBe(name === "read_report" || name === "diff_versions");
      expect(annotations.readOnlyHint === undefined).toBe(annotations.destructiveHint !== undefined);
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      // Lists of types aren't known to every client.
      expect(JSON.stringify(inputSchema)).not.toMatch(/"type":\[|"(anyOf|oneOf|allOf|const)":/);
    }
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name);
    expect(destructive.toSorted()).toEqual(["delete_reports", "delete_version", "rename_report", "revoke_guest_link"]);
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint !== false).map(({ name }) => name);
    expect(open.toSorted()).toEqual(["create_guest_link", "publish_report", "publish_version", "set_visibility"]);
  });

  test.each(CONNECTIONS)("the list of tools costs an agent at most 20 KB over %s", async (_, connect) => {
    const { token } = await service.build.user();
    await using own = await connect(service, token);
    const list = await own.client.listTools();
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThanOrEqual(20_000);
  });

  test("another user can't see any of it", async () => {
    const { name, first, second } = await publishTwice();
    const folder = await agent.use("create_in_cabinet", { kind: "folder", label: "Secret" }, made);
    expect((await stranger.call("search_reports")).text).not.toContain(name);
    expect((await stranger.call("list_cabinet")).text).not.toContain("Secret");
    expect(JSON.stringify(await stranger.client.listResources())).not.toContain(second.code);
    const codes = { from_code: first.code, to_code: second.code };
    const attempts: [string, Record<string, unknown>][] = [
      ["show_report", { name }],
      ["read_report", { code: first.code }],
      ["list_versions", { name }],
      ["diff_versions", codes],
      ["set_latest", { name, code: first.code }],
      ["publish_version", { name, files: [INDEX] }],
      ["set_visibility", { code: first.code, visibility: "public" }],
      ["create_guest_link", { name }],
      ["create_guest_link", { code: first.code }],
      ["rename_report", { name, new_name: uniqueName() }],
      ["file_reports", { reports: [name], folder: folder.id }],
      ["file_reports", { reports: [name], folder: null }],
      ["tag_reports", { reports: [name], add: ["Theirs"] }],
      ["delete_reports", { reports: [name] }],
      ["delete_version", { code: first.code }],
    ];
    for (const [tool, args] of attempts)
      expect(await stranger.refusal(tool, args)).toMatch(/not found|no report|no version/i);
    expect(await agent.use("show_report", { name }, anything)).toMatchObject({
      version_count: 2,
      visibility: "private",
    });
  });

  test("an error names the scope that the token lacks", async () => {
    const user = await service.build.user();
    const token = await service.build.token({ userSlug: user.slug, scopes: ["reports:read"] });
    await using reader = await connectOverHttp(service, token);
    await using writer = await connectOverHttp(service, user.token);
    expect(await reader.refusal("create_in_cabinet", { kind: "tag", label: "T" })).toContain(
      "doesn't have the scope reports:write",
    );
    const { code } = await publishAs(writer);
    expect(await reader.refusal("delete_version", { version: code })).toContain(
      "doesn't have the scope reports:delete",
    );
    expect((await reader.call("search_reports")).isError).toBe(false);
  });

  test("an organization's workspace is used if it is the owner", async () => {
    const { slug, owner } = await service.build.organization();
    await using member = await connectOverHttp(service, owner.token);
    await member.use("create_in_cabinet", { kind: "drawer", label: "Ours", owner: slug }, made);
    expect((await member.call("list_cabinet", { owner: slug })).text).toContain("Ours");
    expect((await member.call("list_cabinet")).text).not.toContain("Ours");
  });

  test("reports are resources, and there are prompts", async () => {
    const { code } = await publish({ files: [INDEX, { path: "a.png", content: PIXEL, encoding: "base64" }] });
    const uri = `vitrine://report/${code}`;
    const { resourceTemplates } = await agent.client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain("vitrine://report/{code}/{file}");
    expect((await agent.client.readResource({ uri })).contents).toMatchObject([{ text: INDEX.content }]);
    expect((await agent.client.readResource({ uri: `${uri}/a.png` })).contents).toMatchObject([{ blob: PIXEL }]);
    for (const wrong of [`${uri}/b`, "vitrine://report/", "file:///etc/passwd", `vitrine://report/${UNKNOWN_CODE}`]) {
      const failure = await agent.client.readResource({ uri: wrong }).catch((error: Error) => error);
      expect(failure).toBeInstanceOf(Error);
    }
    const { prompts } = await agent.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["publish", "update", "compare", "tidy"]);
    const { tools } = await agent.client.listTools();
    const known = new Set(tools.map(({ name }) => name));
    for (const { name, arguments: needed = [] } of prompts) {
      const given = Object.fromEntries(needed.map((argument) => [argument.name, `the ${argument.name}`]));
      const text = JSON.stringify((await agent.client.getPrompt({ name, arguments: given })).messages);
      for (const value of Object.values(given)) expect(text).toContain(value);
      const named = [...text.matchAll(/\b[a-z]+_(?:[a-z]+_?)+\b/g)].map(([word]) => word);
      expect(named.filter((word) => !known.has(word) && word !== "expected_current_code")).toEqual([]);
    }
    expect(agent.client.getPrompt({ name: "update", arguments: {} })).rejects.toThrow("report is required");
  });
});
