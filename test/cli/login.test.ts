import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accountRoute } from "../../src/contract/people/account.ts";
import { vitrine, vitrineOnTerminal } from "../support/cli.ts";
import { startService } from "../support/service.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

describe("vitrine login", () => {
  const desk = use(openDesk);
  let config: string;
  let file: string;
  let environment: Record<string, string>;
  beforeAll(async () => {
    config = join(desk.directory, "config");
    file = join(config, "vitrine", "credentials.json");
    environment = { XDG_CONFIG_HOME: config };
  });
  beforeEach(() => rm(config, { recursive: true, force: true }));

  const run = (args: readonly string[], more: Record<string, string> = {}, input?: string) =>
    vitrine(args, { environment: { ...environment, ...more }, ...(input === undefined ? {} : { input }) });
  const logIn = (token = desk.token) => run(["login", desk.service.baseUrl, "--token", "-"], {}, `${token}\n`);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  test("stores a valid token, readable only by its owner, and uses it from then on", async () => {
    expect(await logIn()).toEqual({
      code: 0,
      stdout: "",
      stderr: `Signed in to ${desk.service.baseUrl} as ${desk.slug}.\n`,
    });
    expect([await modeOf(file), await modeOf(join(config, "vitrine"))]).toEqual([0o600, 0o700]);
    expect(await readdir(join(config, "vitrine"))).toEqual(["credentials.json"]);
    const { code, stdout, stderr } = await run(["whoami"]);
    expect({ code, slug: stdout.split("\t")[0] }).toEqual({ code: 0, slug: desk.slug });
    expect(stderr).toContain(`at ${desk.service.baseUrl}`);
    const account = accountRoute.response.parse(JSON.parse((await run(["whoami", "--json"])).stdout));
    expect(account.user.slug).toBe(desk.slug);
  });

  test("makes a file and a directory that others could read private", async () => {
    await logIn();
    await chmod(file, 0o644);
    await chmod(join(config, "vitrine"), 0o755);
    await logIn();
    expect([await modeOf(file), await modeOf(join(config, "vitrine"))]).toEqual([0o600, 0o700]);
  });

  test("refuses an invalid token and keeps the previous one", async () => {
    await logIn();
    const before = await Bun.file(file).text();
    const { code, stderr } = await logIn("vtr_wrong");
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining("The access token isn't valid.") });
    expect(await Bun.file(file).text()).toBe(before);
  });

  test("the environment takes precedence over it", async () => {
    await logIn();
    const other = await desk.service.build.user();
    const { stdout } = await run(["whoami"], { VITRINE_TOKEN: other.token });
    expect(stdout.split("\t")[0]).toBe(other.slug);
    expect((await run(["list"], { VITRINE_URL: "not an address" })).stderr).toContain(
      "isn't a valid server address (VITRINE_URL)",
    );
  });

  test("a token is sent to no other server", async () => {
    await logIn();
    const seen: (string | null)[] = [];
    using other = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        seen.push(request.headers.get("authorization"));
        return Response.json({});
      },
    });
    for (const ended of [
      await run(["whoami"], { VITRINE_URL: other.url.origin }),
      await run(["whoami", "--url", other.url.origin]),
    ]) {
      expect(ended).toEqual({
        code: 3,
        stdout: "",
        stderr: "vitrine: You're not signed in. Run vitrine login or set VITRINE_TOKEN.\n",
      });
    }
    expect(seen).toEqual([]);
  });

  test("requires --token without a terminal, and says where to create one", async () => {
    const { code, stderr } = await run(["login", desk.service.baseUrl]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${desk.service.baseUrl}/-/account/tokens`);
    expect((await run(["login", "ftp://x", "--token", "-"], {}, "x")).code).toBe(2);
    expect((await run(["login", desk.service.baseUrl, "--token", "-"], {}, "two words")).code).toBe(2);
  });

  test("logout removes it", async () => {
    await logIn();
    const { code, stderr } = await run(["logout"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Signed out\./) });
    expect((await run(["whoami"])).code).toBe(3);
    expect((await run(["logout"])).stderr).toBe("You weren't signed in.\n");
  });

  test("an error names a damaged file", async () => {
    await logIn();
    await writeFile(file, "{");
    const { code, stderr } = await run(["whoami"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(file) });
    expect((await logIn()).code).toBe(0);
  });

  describe("on a terminal", () => {
    const onTerminal = (keys: string, more: Record<string, string> = {}) =>
      vitrineOnTerminal(["login", desk.service.baseUrl], {
        environment: { ...environment, ...more },
        type: [{ after: "Access token", keys }],
      });
    /** Returns whether the screen ends with a visible cursor. */
    const isCursorVisible = (screen: string) => screen.lastIndexOf("\u001b[?25h") > screen.lastIndexOf("\u001b[?25l");

    test("asks for the token, and does not show it", async () => {
      const { code, screen } = await onTerminal(`${desk.token}\r`);
      expect(screen).toContain(`${desk.service.baseUrl}/-/account/tokens`);
      expect(screen).toContain(`as ${desk.slug}.`);
      expect(screen).not.toContain(desk.token);
      expect({ code, visible: isCursorVisible(screen) }).toEqual({ code: 0, visible: true });
    });

    test("opens the page of tokens if there is a browser", async () => {
      const [program, opened] = [join(desk.directory, "bin", "xdg-open"), join(desk.directory, "opened")];
      await Bun.write(program, `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`);
      await chmod(program, 0o755);
      const path = `${join(desk.directory, "bin")}:${process.env.PATH}`;
      const { screen } = await onTerminal(`${desk.token}\r`, { PATH: path, DISPLAY: ":0" });
      expect(screen).toContain("Opening ");
      expect(await Bun.file(opened).text()).toBe(`${desk.service.baseUrl}/-/account/tokens`);
    });

    test("Ctrl-C changes nothing and leaves the cursor visible", async () => {
      const { code, screen } = await onTerminal("\u0003");
      expect({ code, visible: isCursorVisible(screen) }).toEqual({ code: 1, visible: true });
      expect(await Bun.file(file).exists()).toBe(false);
    });
  });
});

test("a token without the scope to read cannot sign in", async () => {
  await using service = await startService();
  const { slug } = await service.build.user();
  const token = await service.build.token({ userSlug: slug, scopes: ["reports:delete"] });
  const { code, stderr } = await vitrine(["login", service.baseUrl, "--token", token]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("reports:read") });
});
