import { beforeAll, describe, expect, test } from "bun:test";
import { connectOverHttp } from "../../../mcp/support.ts";
import { vitrine } from "../../../support/cli.ts";
import { useService } from "../../../support/service.ts";

describe("what agents read first", () => {
  const service = useService();
  let guide: string;
  beforeAll(async () => {
    guide = await (await fetch(`${service.baseUrl}/-/agents.md`)).text();
  });

  test.each([
    ["/-/agents.md", "text/markdown"],
    ["/llms.txt", "text/plain"],
  ])("%s is there without a token, and only there", async (path, type) => {
    const response = await fetch(service.baseUrl + path);
    expect(response.status).toBe(200);
    const { headers } = response;
    expect(headers.get("content-type")).toBe(`${type}; charset=utf-8`);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await response.text()).toContain(service.baseUrl);
    expect((await fetch(service.contentUrl + path)).status).toBe(404);
  });

  test("the index leads to addresses that exist", async () => {
    const index = await (await fetch(`${service.baseUrl}/llms.txt`)).text();
    const links = [...index.matchAll(/\]\((.+?)\)/g)].map(([, link = ""]) => link);
    expect(links).toHaveLength(4);
    for (const link of links) {
      const { status } = await fetch(link);
      // MCP takes POST alone.
      expect([link, status]).toEqual([link, link.endsWith("/mcp") ? 405 : 200]);
    }
  });

  test("the guide is a skill file, and the tools and commands that it names exist", async () => {
    expect(guide).toMatch(/^---\nname: vitrine\ndescription: .{1,1000}\n---\n/);
    const { token } = await service.build.user();
    await using agent = await connectOverHttp(service, token);
    const { tools } = await agent.client.listTools();
    const known = new Set(tools.map(({ name }) => name));
    const named = [...guide.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named.length).toBeGreaterThan(10);
    const { stdout } = await vitrine(["--help"]);
    const commands = new Set([...guide.matchAll(/`vitrine ([a-z-]+)/g)].map(([, name = ""]) => name));
    expect(commands.size).toBeGreaterThan(5);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, "m"));
  });

  test("its request publishes a report", async () => {
    const { token } = await service.build.user();
    const [, command = ""] = /```sh\n(curl [\s\S]+?)```/.exec(guide) ?? [];
    const script = `cd "$(mktemp -d)"; echo '<title>T</title>' > index.html; echo a > data.csv; ${command}`;
    const child = Bun.spawn(["bash", "-ec", script.replace("weekly-sales", "from-the-guide")], {
      env: { PATH: process.env.PATH ?? "", VITRINE_TOKEN: token },
      stdout: "pipe",
      stderr: "pipe",
    });
    expect(JSON.parse(await child.stdout.text())).toMatchObject({ name: "from-the-guide", visibility: "private" });
  });
});
