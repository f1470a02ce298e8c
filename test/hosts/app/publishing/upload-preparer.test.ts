import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { PreparedUpload } from "../../../../src/domain/publishing/publish.ts";
import { mayHaveScript, readUpload } from "../../../../src/hosts/app/publishing/upload/prepare.ts";
import { createUploadPreparer, type UploadPreparer } from "../../../../src/hosts/app/publishing/upload/preparer.ts";
import type { Handlers } from "../../../../src/threads/serve-calls.ts";
import type { Thread, ThreadOptions } from "../../../../src/threads/thread.ts";
import { createThreads, type Threads } from "../../../../src/threads/threads.ts";
import { expectLinear } from "../../../support/timing.ts";
import { encodeForm, indexPart } from "./forms.ts";

const JSON_TYPE = "application/json";
const PLAIN = "<!doctype html><title>Plain</title><p>text</p>";

interface Sent {
  path: string;
  content: string;
  encoding?: "base64";
}

const page = (content: string): Sent => ({ path: "index.html", content });
const bodyOf = (...files: Sent[]) => ({ bytes: new TextEncoder().encode(JSON.stringify({ files })), type: JSON_TYPE });

/** Threads that record their calls. */
function noteCalls(threads: Threads, asked: string[]): Threads {
  return {
    ...threads,
    create<Calls extends Handlers>(options: ThreadOptions): Thread<Calls> {
      const thread = threads.create<Calls>(options);
      return {
        ...thread,
        call(name, ...rest) {
          asked.push(name);
          return thread.call(name, ...rest);
        },
      };
    },
  };
}

describe("reading uploads", () => {
  let asked: string[];
  let preparer: UploadPreparer;

  beforeEach(() => {
    asked = [];
    preparer = createUploadPreparer(noteCalls(createThreads(), asked));
  });
  afterEach(() => preparer.stop());

  const inline: [string, Sent[]][] = [
    ["a page without scripts", [page(PLAIN)]],
    ['English text that contains "on"', [page("<p>Based on what one knows, on = off, version=2, once</p>")]],
    ["a page with a stylesheet", [page(PLAIN), { path: "a.css", content: "p { color: red }" }]],
    ["a data file that mentions a script", [page(PLAIN), { path: "data.json", content: '{"script": "<script>"}' }]],
  ];
  const inThread: [string, Sent[], string][] = [
    ["a script element", [page("<script>let a</script>")], "analyse"],
    ["a script element in upper case", [page("<SCRIPT>let a</SCRIPT>")], "analyse"],
    ["an event handler", [page("<body onload=go()>")], "analyse"],
    ["an event handler after a quote", [page('<img src="a"onerror = go()>')], "analyse"],
    ["an event handler after a slash", [page("<svg/onload=go()>")], "analyse"],
    ["an event handler on the next line", [page("<p\nonclick\n=go()>")], "analyse"],
    ["a javascript: address", [page('<a href="javascript:go()">a</a>')], "analyse"],
    ["a script file", [page(PLAIN), { path: "a.js", content: "1" }], "analyse"],
    ["a module file", [page(PLAIN), { path: "A.MJS", content: "1" }], "analyse"],
    ["a script in base64", [{ ...page(btoa("<script>1</script>")), encoding: "base64" }], "analyse"],
    ["more than 8 KB of text", [page(PLAIN + "x".repeat(8 * 1024))], "analyse"],
    ["12 KB with a script", [page(`<script>1</script>${"x".repeat(12_000)}`)], "analyse"],
    ["more than 64 KB of text", [page(PLAIN + "x".repeat(64 * 1024))], "prepare"],
  ];

  test.each(inline)("%s is read at once, on the event loop", async (_, files) => {
    const { findings } = await preparer.prepare(bodyOf(...files), "ada");
    await findings();
    expect(asked).toEqual([]);
  });

  test.each(inThread)("%s is read in a thread", async (_, files, call) => {
    const { findings } = await preparer.prepare(bodyOf(...files), "ada");
    await findings();
    expect(asked).toEqual([call]);
  });

  test("a body of more than 8 KB is decoded in a thread while another upload is", async () => {
    const prepare = (size: number) => preparer.prepare(bodyOf(page(PLAIN + "x".repeat(size))), "ada");
    for (const { findings } of await Promise.all([prepare(100_000), prepare(12_000)])) await findings();
    expect(asked).toEqual(["prepare", "prepare"]);
    const { findings } = await prepare(12_000);
    await findings();
    expect(asked).toEqual(["prepare", "prepare", "analyse"]);
  });

  test("both ways have the same results", async () => {
    const told = async ({ findings, details, package: { files, content } }: PreparedUpload) => ({
      findings: await findings(),
      details,
      files,
      text: new TextDecoder().decode(content),
    });
    const warned = '<title>T</title><script>localStorage.x = 1</script><img src="missing.png">';
    const small = await told(await preparer.prepare(bodyOf(page(warned)), "ada"));
    const large = await told(await preparer.prepare(bodyOf(page(warned + "x".repeat(100_000))), "ada"));
    expect(small.findings).toEqual(large.findings);
    expect(small.findings.title).toBe("T");
    expect(small.findings.warnings).toHaveLength(2);
    expect(large.text).toStartWith(small.text);
    expect(asked).toEqual(["analyse", "prepare"]);
  });

  test.each([0, 100_000])("errors are the same for small bodies and for %d bytes", async (padding) => {
    const body = bodyOf(page(PLAIN + " ".repeat(padding)), page(PLAIN));
    const failure = await preparer.prepare(body, "ada").catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "Invalid", message: expect.stringContaining("index.html") });
  });

  test("forms are read in threads as well", async () => {
    const { body, type } = encodeForm([indexPart(`${PLAIN}<script>1</script>${"x".repeat(100_000)}`)]);
    const { findings, package: read } = await preparer.prepare({ bytes: body, type }, "ada");
    expect((await findings()).title).toBe("Plain");
    expect(read.files).toMatchObject([{ path: "index.html" }]);
    expect(asked).toEqual(["prepare"]);
  });

  test("one user's worst documents don't block another's", async () => {
    const worst = () => bodyOf(page(`<script>${"f(".repeat(20)}${"a=b=>{c};".repeat(40_000)}</script>`));
    const slow = Array.from({ length: 10 }, () => preparer.prepare(worst(), "slow"));
    const { findings } = await preparer.prepare(bodyOf(page("<script>1</script>")), "quick");
    await findings();
    expect(asked.indexOf("analyse")).toBeWithin(0, 6);
    await Promise.all(slow);
    expect(asked.filter((call) => call === "prepare")).toHaveLength(10);
  });
});

test.each([" on", " onx", " onclick ", "\n", "o", " on= ", '"onload\t'])(
  "looking for scripts takes time proportional to the text: %j",
  (piece) => {
    expectLinear((share) => {
      const { texts } = readUpload(bodyOf(page(piece.repeat((64_000 * share) / piece.length))));
      return () => {
        for (let round = 0; round < 20; round++) mayHaveScript(texts);
      };
    });
  },
);
