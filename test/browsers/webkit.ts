import { existsSync, readdirSync } from "node:fs";
import { z } from "zod";
import { findFreePort } from "../support/ports.ts";
import { until, within } from "../support/until.ts";
import { type Driven, KEY_DELAY, type Key, REPORT_FRAME } from "./driven.ts";

const LIBRARIES = "/usr/lib";
const FIRST_PAGE = "data:text/html,";
/** Milliseconds. WebKit never answers what it is asked about a page or frame that is being replaced. */
const LOST_AFTER = 5_000;
/** The key of an element reference in W3C WebDriver (§12.2). */
const ELEMENT_KEY = "element-6066-11e4-a52e-4f735466cecf";

/** The keys as W3C WebDriver writes them (§17.4.2). */
const KEYS: Readonly<Record<Key, string>> = {
  Control: "\uE009",
  Enter: "\uE007",
  Escape: "\uE00C",
  Tab: "\uE004",
  ArrowDown: "\uE015",
  k: "k",
};

/** Returns the path of the small browser that Debian ships with WebKitGTK, in a directory per architecture. */
function findMiniBrowser(): string | undefined {
  const paths = readdirSync(LIBRARIES).map((name) => `${LIBRARIES}/${name}/webkit2gtk-4.1/MiniBrowser`);
  return paths.find((path) => existsSync(path));
}

/** Returns why WebKitGTK can't run here, or undefined. */
export function webkitUnavailable(): string | undefined {
  if (Bun.which("WebKitWebDriver") === null || findMiniBrowser() === undefined)
    return "no WebKitGTK (Debian's package: webkit2gtk-driver)";
  return Bun.which("Xvfb") === null ? "no Xvfb (Debian's package: xvfb)" : undefined;
}

const answerSchema = z.object({ value: z.unknown() });
const failureSchema = z.object({ error: z.string(), message: z.string() });
const sessionSchema = z.object({ sessionId: z.string() });
const elementSchema = z.object({ [ELEMENT_KEY]: z.string() });

/** Sends a W3C WebDriver command. Rejects with the driver's message if it fails. */
async function command(url: string, method: "GET" | "POST" | "DELETE", body: object = {}): Promise<unknown> {
  const response = await fetch(url, { method, ...(method === "POST" ? { body: JSON.stringify(body) } : {}) });
  const { value } = answerSchema.parse(await response.json());
  if (response.ok) return value;
  const { error, message } = failureSchema.parse(value);
  throw new Error(`${error}: ${message}`);
}

/** Starts WebKitGTK's browser with an empty profile on a separate screen, driven by W3C WebDriver. */
export async function startWebkit(): Promise<Driven> {
  await using starting = new AsyncDisposableStack();
  const display = await startScreen(starting);
  const port = await findFreePort();
  const driver = Bun.spawn(["WebKitWebDriver", `--port=${port}`], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DISPLAY: `:${display}`,
      GDK_BACKEND: "x11",
      LIBGL_ALWAYS_SOFTWARE: "1",
      // Root can't create user namespaces in containers.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  starting.defer(() => stop(driver));
  const base = `http://127.0.0.1:${port}`;
  await until(() => command(`${base}/status`, "GET").catch(() => undefined));
  const options = { binary: findMiniBrowser(), args: ["--automation", "--geometry=1300x1000"] };
  // Tests wait for what is visible; loading may never end, and each command would wait for it.
  const alwaysMatch = { pageLoadStrategy: "none", "webkitgtk:browserOptions": options };
  const { sessionId } = sessionSchema.parse(
    await command(`${base}/session`, "POST", { capabilities: { alwaysMatch } }),
  );
  const session = `${base}/session/${sessionId}`;
  starting.defer(async () => void (await command(session, "DELETE")));

  const post = (path: string, body: object) => command(`${session}/${path}`, "POST", body);

  const perform = (actions: readonly object[]) =>
    post("actions", { actions: [{ type: "key", id: "keyboard", actions }] });

  /** Asks until there is an answer. */
  async function ask(path: string, body: object): Promise<unknown> {
    const answer = async () => ({ value: await post(path, body) });
    return (await until(() => within(LOST_AFTER, answer()))).value;
  }

  const evaluate = (expression: string) => ask("execute/sync", { script: `return (${expression})`, args: [] });

  /** Rejects if there is no such element. */
  async function find(selector: string): Promise<{ id: string; reference: object }> {
    const reference = elementSchema.parse(await ask("element", { using: "css selector", value: selector }));
    return { id: reference[ELEMENT_KEY] ?? "", reference };
  }

  async function evaluateInReport(expression: string): Promise<unknown> {
    const element = await find(REPORT_FRAME).catch(() => undefined);
    if (element === undefined) return undefined;
    try {
      await ask("frame", { id: element.reference });
      return await evaluate(expression);
    } finally {
      await ask("frame", { id: null });
    }
  }

  // What is opened while a new window still loads its empty page may never load.
  await until(async () => {
    await post("url", { url: FIRST_PAGE });
    const isThere = async () => (await evaluate("location.href").catch(() => undefined)) === FIRST_PAGE;
    return until(isThere, 1_000).catch(() => undefined);
  });

  const running = starting.move();
  return {
    open: async (url) => void (await post("url", { url })),
    evaluate,
    evaluateInReport,
    type: async (selector, text) => void (await post(`element/${(await find(selector)).id}/value`, { text })),
    click: async (selector) => void (await post(`element/${(await find(selector)).id}/click`, {})),
    press: async (keys) => {
      const actions = [...keys].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
        { type: "pause", duration: KEY_DELAY },
      ]);
      await perform(actions);
    },
    pressTogether: async (...keys) => {
      const down = keys.map((key) => ({ type: "keyDown", value: KEYS[key] }));
      const up = keys.toReversed().map((key) => ({ type: "keyUp", value: KEYS[key] }));
      await perform([...down, ...up]);
    },
    takeComplaints: () => undefined,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Starts a virtual screen. Returns its number, which Xvfb picks and prints when it is ready. */
async function startScreen(stack: AsyncDisposableStack): Promise<number> {
  const screen = Bun.spawn(
    ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x1200x24", "-nolisten", "tcp", "-noreset"],
    {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
    },
  );
  stack.defer(() => stop(screen));
  const told = Promise.withResolvers<string>();
  // Reads all output, because Xvfb dies if its pipe has no reader.
  (async () => {
    let text = "";
    for await (const chunk of screen.stdout) {
      text += new TextDecoder().decode(chunk);
      if (text.endsWith("\n")) told.resolve(text);
    }
    told.reject(new Error("Xvfb exited."));
  })();
  return Number(await told.promise);
}

async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill();
  await child.exited;
}
