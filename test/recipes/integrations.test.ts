import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { YAML } from "bun";
import { z } from "zod";
import { reportRoute } from "../../src/contract/reports/details.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { bearer, read } from "../support/content.ts";
import { uniqueName, useService } from "../support/service.ts";
import { openWorkplace } from "./support.ts";

const INTEGRATIONS = new URL("../../integrations/", import.meta.url).pathname;

const parseFile = async (path: string) => YAML.parse(await Bun.file(join(INTEGRATIONS, path)).text());

/** What stands for the token that GitHub gives a job. */
const GITHUB_TOKEN = "ghs_test";

/** Serves the few requests of GitHub and GitLab that comments need, on a free port, as their documentation describes them. */
function serveComments({ path, update, token: expected }: { path: string; update: "PATCH" | "PUT"; token: string }) {
  const comments: { id: number; type: null; body: string; author: { id: number } }[] = [];
  const add = (...bodies: string[]) => {
    for (const body of bodies) comments.push({ id: 1000 + comments.length, type: null, body, author: { id: 1 } });
  };
  const bodyOf = async (request: Request) => {
    const isForm = request.headers.get("content-type")?.includes("form") ?? false;
    const given = isForm ? Object.fromEntries((await request.formData()).entries()) : await request.json();
    return z.object({ body: z.string() }).parse(given).body;
  };
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const given = request.headers.get("authorization") ?? request.headers.get("private-token");
      if (given !== `Bearer ${expected}` && given !== expected)
        return Response.json({ message: "Forbidden" }, { status: 403 });
      if (pathname === path && request.method === "GET") {
        const page = Number(searchParams.get("page"));
        const size = Number(searchParams.get("per_page"));
        return Response.json(comments.slice((page - 1) * size, page * size));
      }
      if (pathname === path && request.method === "POST") {
        add(await bodyOf(request));
        return Response.json(comments.at(-1), { status: 201 });
      }
      const own = comments.find(({ id }) => pathname.endsWith(`/${id}`));
      if (own === undefined || request.method !== update)
        return Response.json({ message: "Not Found" }, { status: 404 });
      own.body = await bodyOf(request);
      return Response.json(own);
    },
  });
  return {
    url: `http://localhost:${server.port}`,
    add,
    bodies: () => comments.map(({ body }) => body),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

const service = useService();
let token: string;

beforeAll(async () => {
  ({ token } = await service.build.user());
});

describe("the GitHub action", () => {
  const action = z.object({
    inputs: z.record(z.string(), z.object({ required: z.boolean().optional(), default: z.string().optional() })),
    outputs: z.record(z.string(), z.object({ value: z.string() })),
    runs: z.object({
      using: z.literal("composite"),
      steps: z.tuple([
        z.object({ id: z.string(), shell: z.literal("bash"), run: z.string(), env: z.record(z.string(), z.string()) }),
      ]),
    }),
  });

  /** Runs the action's step as the runner does. Resolves to its outputs and its summary. */
  async function runAction(
    given: Readonly<Record<string, string>>,
    files: Readonly<Record<string, string>>,
    environment: Readonly<Record<string, string>> = {},
  ) {
    const { inputs, outputs, runs } = action.parse(await parseFile("github/action.yml"));
    const [{ id, run, env }] = runs.steps;
    const inputFor = (name: string) => {
      const value = given[name] ?? inputs[name]?.default;
      if (value === undefined) throw new Error(`The input ${name} is missing.`);
      return value;
    };
    const filled = Object.entries(env).map(([key, text]) => [
      key,
      text
        .replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => inputFor(name))
        .replace(/\$\{\{ github\.token \}\}/, GITHUB_TOKEN),
    ]);
    await using workplace = await openWorkplace(service, token, { ...files, output: "", "summary.md": "" });
    const { directory } = workplace;
    const log = await workplace.sh(`bash --noprofile --norc -eo pipefail -c '${run}'`, {
      ...Object.fromEntries(filled),
      GITHUB_ACTION_PATH: join(INTEGRATIONS, "github"),
      GITHUB_OUTPUT: join(directory, "output"),
      GITHUB_STEP_SUMMARY: join(directory, "summary.md"),
      ...environment,
      ...(environment.GITHUB_EVENT_PATH && { GITHUB_EVENT_PATH: join(directory, environment.GITHUB_EVENT_PATH) }),
    });
    const lines = (await Bun.file(join(directory, "output")).text()).trim().split("\n");
    const written = new Map(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
    const step = new RegExp(`^\\$\\{\\{ steps\\.${id}\\.outputs\\.([\\w-]+) \\}\\}$`);
    const outcome = Object.entries(outputs).map(([name, { value }]) => [
      name,
      written.get(step.exec(value)?.[1] ?? "") ?? "unset",
    ]);
    return { log, outputs: Object.fromEntries(outcome), summary: await Bun.file(join(directory, "summary.md")).text() };
  }

  test("publishes a directory with all inputs, and sets its outputs", async () => {
    const name = uniqueName();
    const { log, outputs, summary } = await runAction(
      {
        url: service.baseUrl,
        token,
        path: "my report",
        name,
        title: "Tests [of] *today*",
        visibility: "public",
        storage: "memory",
        flatten: "true",
      },
      { "my report/index.html": "<script src=js/app.js></script>\n<img src=gone.png>", "my report/js/app.js": "1" },
    );
    const group = await service.client(token).call(groupRoute, { query: { name } });
    expect(group).toMatchObject({
      visibility: "public",
      versions: [{ title: "Tests [of] *today*", storage: "memory" }],
    });
    const url = `${service.contentUrl}/${group.current_code}/`;
    const live = `${service.contentUrl}/@${group.owner_slug}/${name}/`;
    const warning = expect.stringContaining('index.html line 2: "gone.png"');
    expect(outputs).toMatchObject({ code: group.current_code, url, "name-url": live });
    expect(JSON.parse(outputs.warnings ?? "")).toEqual([warning]);
    expect(summary).toContain(`### [${name}](${live})`);
    expect(summary).toContain(`[This version](${url})`);
    expect(summary).toContain("gone.png");
    expect(log).toContain('::warning title=Vitrine::index.html line 2: "gone.png"');
    expect(log.trimEnd().split("\n").at(-1)).toBe(live);
  });

  test("publishes one file without a name, privately", async () => {
    const files = { "page.html": "<!doctype html><title>One</title>" };
    const { outputs } = await runAction({ url: service.baseUrl, token, path: "page.html" }, files);
    expect(outputs).toMatchObject({ "name-url": "", warnings: "[]", url: `${service.baseUrl}/${outputs.code}/` });
    const report = await service.client(token).call(reportRoute, { query: { code: outputs.code ?? "" } });
    expect(report).toMatchObject({ title: "One", visibility: "private", storage: "none" });
  });

  test("keeps one comment on the pull request, which says what changed", async () => {
    await using github = serveComments({ path: "/repos/o/r/issues/7/comments", update: "PATCH", token: GITHUB_TOKEN });
    github.add(...Array.from({ length: 130 }, (_, index) => `Comment ${index}`));
    const name = uniqueName();
    const given = { url: service.baseUrl, token, path: "report", name };
    const files = {
      "report/index.html": "<title>T</title>1",
      "report/a.csv": "1",
      "event.json": '{"pull_request":{"number":7}}',
    };
    const environment = { GITHUB_EVENT_PATH: "event.json", GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "o/r" };
    const first = await runAction(given, files, environment);
    expect(github.bodies().slice(130)).toEqual([
      `<!-- vitrine ${name} -->\n### [${name}](${first.outputs["name-url"]})\n\n[This version](${first.outputs.url})\n\nVersion 1. This is the first version.`,
    ]);
    const { "report/a.csv": _, ...rest } = files;
    const second = await runAction(
      { ...given, message: "Fixed" },
      { ...rest, "report/index.html": "<title>T</title>2", "report/b.csv": "1" },
      environment,
    );
    expect(github.bodies().slice(130)).toEqual([
      expect.stringContaining(
        `[This version](${second.outputs.url})\n\nVersion 2. Since version 1: changed index.html; added b.csv; removed a.csv.\n\n`,
      ),
    ]);
    expect(github.bodies().at(-1)).toContain("- `1` → `2` (+1, +100 %)");
    expect(second.summary).toContain("Since version 1: changed index.html");
  });

  test("publishes although it can't comment, and says why", async () => {
    await using github = serveComments({ path: "/elsewhere", update: "PATCH", token: "another" });
    const files = { "a.html": "<title>T</title>", "event.json": '{"pull_request":{"number":7}}' };
    const environment = { GITHUB_EVENT_PATH: "event.json", GITHUB_API_URL: github.url, GITHUB_REPOSITORY: "o/r" };
    const { log, outputs } = await runAction({ url: service.baseUrl, token, path: "a.html" }, files, environment);
    expect(outputs.url).toStartWith(service.baseUrl);
    expect(log).toMatch(/::warning title=Vitrine::Couldn't comment on the pull request: .+403.+pull-requests: write/);
  });

  test("fails if the upload is refused", async () => {
    const { error } = await runAction(
      { url: service.baseUrl, token: "vtr_wrong", path: "a.html" },
      { "a.html": "" },
    ).then(
      () => ({ error: undefined }),
      (error: unknown) => ({ error }),
    );
    expect(String(error)).toContain("exited with");
  });

  test("has every required input, and the recipe uses no others", async () => {
    const { inputs } = action.parse(await parseFile("github/action.yml"));
    const [, block = ""] =
      /```yaml\n(- uses:[\s\S]*?)```/.exec(await Bun.file(`${INTEGRATIONS}../docs/recipes.md`).text()) ?? [];
    const [step] = z.tuple([z.object({ with: z.record(z.string(), z.unknown()) })]).parse(YAML.parse(block));
    expect(Object.keys(inputs)).toEqual(expect.arrayContaining(Object.keys(step.with)));
    const needed = Object.entries(inputs).filter(([, { required }]) => required);
    expect(Object.keys(step.with)).toEqual(expect.arrayContaining(needed.map(([name]) => name)));
  });
});

describe("the GitLab job", () => {
  const template = z.object({
    ".vitrine": z.object({ variables: z.record(z.string(), z.string()), script: z.array(z.string()) }),
  });
  const files = { "report/index.html": "<!doctype html><title>Week</title><img src=a,b.png>", "report/a.css": "p {}" };

  async function runJob(
    variables: Readonly<Record<string, string>>,
    inDirectory: Readonly<Record<string, string>> = files,
  ) {
    const { ".vitrine": job } = template.parse(await parseFile("gitlab/vitrine.gitlab-ci.yml"));
    await using workplace = await openWorkplace(service, token, inDirectory);
    const log = await workplace.sh(job.script.join("\n"), { ...job.variables, CI_JOB_ID: "1", ...variables });
    return { log, dotenv: await Bun.file(join(workplace.directory, "vitrine.env")).text() };
  }

  test("publishes the files of its directory and prints their links; a retry publishes nothing more", async () => {
    const name = uniqueName();
    const variables = { VITRINE_NAME: name, VITRINE_VISIBILITY: "public", VITRINE_STORAGE: "memory", CI_JOB_ID: name };
    const { log, dotenv } = await runJob(variables);
    expect(await runJob(variables)).toEqual({ log, dotenv });
    const group = await service.client(token).call(groupRoute, { query: { name } });
    expect(group.versions).toMatchObject([{ title: "Week", storage: "memory", visibility: "public" }]);
    const url = `${service.contentUrl}/${group.current_code}/`;
    expect(dotenv).toBe(
      `VITRINE_REPORT_URL=${url}\nVITRINE_LIVE_URL=${service.contentUrl}/@${group.owner_slug}/${name}/\n`,
    );
    expect((await read(service, `/${group.current_code}/a.css`, bearer(token))).body.toString()).toBe("p {}");
  });

  test("keeps one comment on the merge request, which says what changed", async () => {
    await using gitlab = serveComments({ path: "/projects/5/merge_requests/3/notes", update: "PUT", token: "glpat" });
    gitlab.add(...Array.from({ length: 120 }, (_, index) => `Note ${index} with "quotes" and {braces}`));
    const name = uniqueName();
    const variables = {
      VITRINE_NAME: name,
      VITRINE_GITLAB_TOKEN: "glpat",
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: "5",
      CI_MERGE_REQUEST_IID: "3",
      CI_JOB_ID: `${name}-1`,
    };
    await runJob(variables);
    const link = `${service.baseUrl}/${name}/`;
    expect(gitlab.bodies().slice(120)).toEqual([
      expect.stringMatching(
        new RegExp(`^<!-- vitrine ${name} -->\\n### \\[${name}\\]\\(${link}\\)[\\s\\S]+Version 1, the first one\\.$`),
      ),
    ]);
    await runJob(
      { ...variables, CI_JOB_ID: `${name}-2` },
      { ...files, "report/index.html": '<p>Say "5 * 3\\n" again</p>', "report/b.css": "p {}" },
    );
    expect(gitlab.bodies().slice(120)).toEqual([
      expect.stringMatching(
        /Version 2: b\.css added, index\.html changed\.\n\n[\s\S]*- Added: `Say "5 \* 3\\n" again`/,
      ),
    ]);
    await runJob({ ...variables, CI_JOB_ID: `${name}-3` }, { ...files, "report/index.html": "<p>Say 2</p>" });
    await runJob({ ...variables, CI_JOB_ID: `${name}-4` }, { ...files, "report/index.html": "<p>Say 3</p>" });
    expect(gitlab.bodies().slice(120)).toEqual([
      expect.stringMatching(
        /Version 4: index\.html changed\.\n\n\*\*Version 3 → 4\*\*: 1 number\n\n- `2` → `3` \(\+1, \+50 %\)$/,
      ),
    ]);
    const { log } = await runJob({ ...variables, CI_JOB_ID: `${name}-5`, VITRINE_GITLAB_TOKEN: "wrong" });
    expect(log).toContain("Couldn't comment on the merge request. VITRINE_GITLAB_TOKEN needs");
  });

  test("publishes privately and without a name by default", async () => {
    const { dotenv } = await runJob({ CI_JOB_ID: uniqueName() });
    expect(dotenv).toMatch(new RegExp(`^VITRINE_REPORT_URL=${service.baseUrl}/\\w{16}/\nVITRINE_LIVE_URL=\n$`));
  });

  test("fails with the server's message if the upload is refused", async () => {
    const { error } = await runJob({ VITRINE_NAME: "No Name", CI_JOB_ID: uniqueName() }).then(
      () => ({ error: undefined }),
      (error: unknown) => ({ error }),
    );
    expect(String(error)).toContain('"error":"name');
  });
});
