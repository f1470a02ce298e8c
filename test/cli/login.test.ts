import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { answerDeviceRoute } from "../../src/contract/oauth/apps.ts";
import { accountRoute } from "../../src/contract/people/account.ts";
import { vitrine, vitrineOnTerminal } from "../support/cli.ts";
import { startService } from "../support/service.ts";
import { pageClient, signIn } from "../support/sessions.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

const whoSchema = z.object({
  user: z.object({ slug: z.string() }),
  server: z.object({ url: z.string(), profile: z.string().nullable() }),
});

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
        stderr: `vitrine: You're not signed in to ${other.url.origin}. Run vitrine login ${other.url.origin}, or set VITRINE_TOKEN.\n`,
      });
    }
    expect(seen).toEqual([]);
  });

  test("requires --token without a terminal, and says where to create one", async () => {
    const { code, stderr } = await run(["login", desk.service.baseUrl]);
    expect(code).toBe(2);
    expect(stderr).toContain(`${desk.service.baseUrl}/-/account/tokens`);
    expect((await run(["login", "ftp://x", "--token", "-"], {}, "x")).code).toBe(2);
    for (const [typed, address] of [
      ["reports.example.org", "https://reports.example.org"],
      ["localhost:4000", "http://localhost:4000"],
    ] as const) {
      const said = `vitrine: "${typed}" isn't a valid server address (<url>). Use ${address}.\n`;
      expect(await run(["login", typed, "--token", "x"])).toEqual({ code: 2, stdout: "", stderr: said });
    }
    expect((await run(["login", desk.service.baseUrl, "--token", "-"], {}, "two words")).code).toBe(2);
  });

  test("keeps one token per profile, and says which it uses", async () => {
    const other = await desk.service.build.user();
    await logIn();
    const url = desk.service.baseUrl;
    const added = await run(["login", url, "--token", "-", "--profile", "work"], {}, other.token);
    expect(added).toMatchObject({ code: 0, stderr: `Signed in to ${url} as ${other.slug}, profile work.\n` });
    const who = async (args: readonly string[], more: Record<string, string> = {}) => {
      const { stdout } = await run(["whoami", "--json", ...args], more);
      const { user, server } = whoSchema.parse(JSON.parse(stdout));
      return [user.slug, server.profile];
    };
    expect(await who([])).toEqual([desk.slug, "default"]);
    expect(await who(["--profile", "work"])).toEqual([other.slug, "work"]);
    expect(await who([], { VITRINE_PROFILE: "work" })).toEqual([other.slug, "work"]);
    expect(await who(["--profile", "default"], { VITRINE_PROFILE: "work" })).toEqual([desk.slug, "default"]);
    const token = { VITRINE_TOKEN: desk.token, VITRINE_URL: url };
    expect(await who([], { ...token, VITRINE_PROFILE: "work" })).toEqual([desk.slug, null]);
    expect(await who(["--profile", "work"], token)).toEqual([other.slug, "work"]);

    // The address of the profile takes precedence over that of the environment, as in other commands.
    const again = ["login", "--profile", "work", "--token", "-"];
    expect((await run(again, { VITRINE_URL: "http://127.0.0.1:9" }, other.token)).code).toBe(0);
    expect((await run(["get", "nothing-at-all", "--profile", "work"])).stderr).toContain("not found");

    const missing = await run(["whoami", "--profile", "home"]);
    expect(missing).toMatchObject({
      code: 3,
      stderr: 'vitrine: There is no profile "home". Run vitrine login --profile home to create it.\n',
    });
    expect((await run(["whoami", "--profile", "../x"])).code).toBe(2);
    await run(["logout", "--profile", "work"]);
    expect((await run(["whoami", "--profile", "work"])).code).toBe(3);
    expect(await who([])).toEqual([desk.slug, "default"]);
    // Earlier versions of Vitrine read this form, and wrote it.
    expect(JSON.parse(await Bun.file(file).text())).toEqual({ url, token: desk.token });
  });

  test("logout removes it", async () => {
    await logIn();
    const { code, stderr } = await run(["logout"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Signed out\./) });
    expect((await run(["whoami"])).code).toBe(3);
    expect((await run(["logout"])).stderr).toBe("You weren't signed in.\n");
  });

  test("logout revokes a token that was made for this machine, and says if it couldn't", async () => {
    const storeToken = async (url: string, token: string) => {
      await logIn();
      await writeFile(file, JSON.stringify({ url, token, isOwn: true }));
    };
    const { slug } = await desk.service.build.user();
    const { token } = await desk.service.build.tokens.create({ userSlug: slug, scopes: ["reports:read"] });
    await storeToken(desk.service.baseUrl, token);
    expect((await run(["whoami"])).code).toBe(0);
    expect((await run(["logout"])).stderr).toBe("Signed out.\n");
    expect((await run(["whoami"], { VITRINE_TOKEN: token, VITRINE_URL: desk.service.baseUrl })).code).toBe(3);

    await storeToken("http://127.0.0.1:1", token);
    expect(await run(["logout"])).toMatchObject({
      code: 0,
      stderr: "Signed out. The token is still valid. Revoke it at http://127.0.0.1:1/-/account/tokens\n",
    });
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
      vitrineOnTerminal(["login", desk.service.baseUrl, "--token"], {
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

    /** Replaces the browser by a program that notes what it opens. */
    async function fakeBrowser() {
      const [program, opened] = [join(desk.directory, "bin", "xdg-open"), join(desk.directory, "opened")];
      await rm(opened, { force: true });
      // A browser takes longer to start than the command runs.
      await Bun.write(
        program,
        `#!/bin/sh\nsleep 0.3\nprintf %s "$1" > '${opened}.tmp' && mv '${opened}.tmp' '${opened}'\n`,
      );
      await chmod(program, 0o755);
      const path = `${join(desk.directory, "bin")}:${process.env.PATH}`;
      return { opened, environment: { PATH: path, DISPLAY: ":0" } };
    }

    test("opens the page of tokens if there is a browser", async () => {
      const browser = await fakeBrowser();
      const { screen } = await onTerminal(`${desk.token}\r`, browser.environment);
      expect(screen).toContain("Opening ");
      await until(() => Bun.file(browser.opened).exists());
      expect(await Bun.file(browser.opened).text()).toBe(`${desk.service.baseUrl}/-/account/tokens`);
    });

    /** Answers the code in the page that the command opened, as a person does. */
    async function answer(opened: string, person: { email: string; slug: string }, allow: boolean) {
      await until(() => Bun.file(opened).exists());
      const code = new URL(await Bun.file(opened).text()).searchParams.get("user_code") ?? "";
      const page = pageClient(desk.service, await signIn(desk.service, person));
      await page.call(answerDeviceRoute, {
        body: { user_code: code, allow, owner: person.slug, scopes: allow ? ["reports:read"] : [] },
      });
      return code;
    }

    const inBrowser = (more: Record<string, string>, args: readonly string[] = []) =>
      vitrineOnTerminal(["login", desk.service.baseUrl, ...args], { environment: { ...environment, ...more } });

    test("signs in when the person approves the code in the browser, with the scopes they chose", async () => {
      const person = await desk.service.build.user();
      const browser = await fakeBrowser();
      const [{ code, screen }, shown] = await Promise.all([
        inBrowser(browser.environment, ["--profile", "work"]),
        answer(browser.opened, person, true),
      ]);
      expect(screen).toContain(`Code: ${shown}`);
      expect(screen).toContain(`as ${person.slug}, profile work.`);
      expect(screen).not.toContain("vtr_");
      expect(code).toBe(0);
      const { stdout, stderr } = await run(["whoami", "--profile", "work"]);
      expect([stdout.split("\t")[0], stderr]).toEqual([person.slug, expect.stringContaining("profile work")]);
      await writeFile(join(desk.directory, "index.html"), "<title>x</title><p>x");
      const publishing = await run(["publish", join(desk.directory, "index.html"), "--profile", "work"]);
      expect(publishing.stderr).toContain("reports:write");
    });

    test("says so when the person declines", async () => {
      const browser = await fakeBrowser();
      const person = await desk.service.build.user();
      const [{ code, screen }] = await Promise.all([
        inBrowser(browser.environment),
        answer(browser.opened, person, false),
      ]);
      expect([code, screen]).toEqual([1, expect.stringContaining("declined in the browser. Nothing was changed.")]);
      expect(await Bun.file(file).exists()).toBe(false);
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
