import { describe, expect, test } from "bun:test";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { PROGRAM } from "../support/program.ts";
import { uniqueName } from "../support/service.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { codeIn, openDesk } from "./support.ts";

const desk = use(openDesk);

describe("--watch", () => {
  /** Starts the command and collects its output. */
  function watch(path: string, name: string) {
    const child = Bun.spawn([PROGRAM, "publish", path, "--name", name, "--watch"], {
      env: { PATH: process.env.PATH, HOME: "/nonexistent", ...desk.environment },
      cwd: desk.directory,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const seen = { out: "", note: "" };
    const collect = async (stream: ReadableStream<Uint8Array>, key: "out" | "note") => {
      const decoder = new TextDecoder();
      for await (const chunk of stream) seen[key] += decoder.decode(chunk, { stream: true });
    };
    collect(child.stdout, "out");
    collect(child.stderr, "note");
    const lines = () => seen.out.split("\n").slice(0, -1);
    return {
      lines,
      note: () => seen.note,
      async until(isSo: () => boolean): Promise<void> {
        await until(isSo).catch(() => {
          throw new Error(`Seen: ${JSON.stringify(seen)}`);
        });
      },
      async [Symbol.asyncDispose]() {
        child.kill("SIGINT");
        await child.exited;
      },
    };
  }
  const titles = async (name: string) => {
    const group = await desk.service.client(desk.token).call(groupRoute, { query: { name } });
    return group.versions.map(({ title }) => title).reverse();
  };

  test("publishes a version for each change, and one for changes that come together", async () => {
    const [path, name] = [await desk.write({ "index.html": "<title>1</title>" }), uniqueName()];
    const write = (file: string, content: string) => Bun.write(join(desk.directory, path, file), content);
    await using watching = watch(path, name);
    await watching.until(() => watching.lines().length === 1);
    for (const number of [1, 2, 3, 4, 5]) await write(`data-${number}.txt`, "x");
    await write("index.html", "<title>2</title>");
    await watching.until(() => watching.lines().length === 2);
    await write("index.html", "<title>2</title>");
    await rm(join(desk.directory, path, "index.html"));
    await watching.until(() => watching.note().includes("contains no index.html"));
    await write("index.html", "<title>3</title>");
    await watching.until(() => watching.lines().length === 3);
    expect(await titles(name)).toEqual(["1", "2", "3"]);
    expect(watching.lines()[0]).toBe(`${desk.service.baseUrl}/${name}/`);
    const codes = watching
      .lines()
      .slice(1)
      .map((line) => codeIn(line));
    const group = await desk.service.client(desk.token).call(groupRoute, { query: { name } });
    expect(codes).toEqual(
      group.versions
        .map(({ code }) => code)
        .reverse()
        .slice(1),
    );
  });

  test("follows a file that an editor replaces", async () => {
    await mkdir(join(desk.directory, "single"), { recursive: true });
    const [file, name] = [join(desk.directory, "single", "page.html"), uniqueName()];
    await Bun.write(file, "<title>1</title>");
    await using watching = watch("single/page.html", name);
    await watching.until(() => watching.lines().length === 1);
    await Bun.write(`${file}.new`, "<title>2</title>");
    await rename(`${file}.new`, file);
    await watching.until(() => watching.lines().length === 2);
    expect(await titles(name)).toEqual(["1", "2"]);
  });

  test("requires a name and a single path", async () => {
    const path = await desk.write({ "index.html": "<p>" });
    expect((await desk.run(`publish ${path} --watch`)).code).toBe(2);
    expect((await desk.run("publish - --watch --name a")).code).toBe(2);
  });
});
