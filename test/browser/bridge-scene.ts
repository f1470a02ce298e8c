import { beforeAll } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { reportRoute } from "../../src/contract/reports/details.ts";
import { type FileContents, publishFiles, until } from "../support/content.ts";
import type { Service, UploadOverrides } from "../support/service.ts";
import { use } from "../support/use.ts";
import { openPortal } from "./portal/portal.ts";

export interface Heard {
  kind: string;
  [field: string]: unknown;
}

/** A report in a frame of the portal, with what the portal's connection has heard from it. */
export interface Framed {
  page: Page;
  report: Frame;
  /** Returns all messages so far, with pixels as base64. */
  heard(): Promise<Heard[]>;
  /** Waits for a message of a kind. */
  until(kind: string): Promise<Heard>;
  /** Sends a request to the bridge. */
  send(request: object): Promise<void>;
  /** Starts a review as the panel of comments does. What is heard of it has the kind `review`. */
  review(): Promise<Review>;
}

/** The panel's side of a review. */
export interface Review {
  show(anchors: object[]): Promise<void>;
  reveal(id: number): Promise<void>;
  pick(isOn: boolean): Promise<void>;
  stop(): Promise<void>;
  /** Returns what the panel was told of one kind. */
  all(kind: string): Promise<Record<string, unknown>[]>;
  /** Waits for the first of a kind. */
  first(kind: string): Promise<Record<string, unknown>>;
}

const REVIEW = new URL("../../src/look/comments/client/frame.ts", import.meta.url).pathname;
const CONNECTION = new URL("../../src/look/frame/client/connection.ts", import.meta.url).pathname;

/** Bundles the portal's own connection, so that pages use exactly its code. */
async function bundleConnection(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-bridge-"));
  try {
    const entry = join(directory, "entry.ts");
    await Bun.write(
      entry,
      `import { connectToFrame } from ${JSON.stringify(CONNECTION)};
      import { openReview } from ${JSON.stringify(REVIEW)};
      globalThis.frameReport = (src, name) => {
        const frame = Object.assign(document.createElement("iframe"), { src, name });
        frame.sandbox = "allow-scripts";
        frame.style = "position: fixed; inset: 0; width: 800px; height: 500px; z-index: 1000";
        const heard = [];
        const connection = connectToFrame(() => frame, {
          connected: () => heard.push({ kind: "connected" }),
          heard: (message) => heard.push(message),
        });
        globalThis.framed ??= {};
        const review = () => {
          const told = [];
          const tell = (kind) => (value) => told.push({ kind, value });
          const kinds = ["ready", "failed", "placed", "chosen", "pressed", "escaped"];
          const listener = Object.fromEntries(kinds.map((kind) => [kind, tell(kind)]));
          const open = (port) => connection.send({ kind: "openReview" }, [port]);
          globalThis.framed[name].opened = { told, ...openReview(open, listener) };
        };
        globalThis.framed[name] = { heard, send: connection.send, review };
        document.body.append(frame);
      };`,
    );
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", format: "iife" });
    return (await outputs[0]?.text()) ?? "";
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Creates a person who frames reports in a page of the portal. */
export function createBridgeScene(service: Service, browser: () => Browser) {
  const script = use(async () => ({ text: await bundleConnection() }));
  let user: { email: string; token: string };
  let frames = 0;

  beforeAll(async () => {
    user = await service.build.user();
    await fetch(`${service.baseUrl}/-/assets/none.js`);
  });

  const publish = (files: FileContents, details: Omit<UploadOverrides, "files"> = {}) =>
    publishFiles(service, user.token, files, details);

  /** Returns where the portal frames a version. */
  async function sourceOf(code: string, context: BrowserContext): Promise<string> {
    const response = await context.request.get(`${service.baseUrl}/api/report?code=${code}`);
    return reportRoute.response.parse(await response.json()).preview_url ?? "";
  }

  async function open() {
    const visitor = await openPortal(browser(), service, user.email, { path: "/account/tokens" });
    await visitor.page.evaluate(script.text);
    return visitor;
  }

  /** Frames a published version in a page that `open` has opened, and keeps that page busy for some milliseconds. */
  async function frame(
    { page, context }: { page: Page; context: BrowserContext },
    code: string,
    { busyFor = 0 } = {},
  ): Promise<Framed> {
    const name = `report-${++frames}`;
    const source = JSON.stringify(await sourceOf(code, context));
    await page.evaluate(`{
      frameReport(${source}, "${name}");
      const end = performance.now() + ${busyFor};
      while (performance.now() < end);
    }`);
    const report = await until(async () => page.frames().find((each) => each.name() === name && each.url() !== ""));
    const heard = () =>
      page.evaluate<Heard[]>(
        `framed["${name}"].heard.map((message) => message.pixels?.data
          ? { ...message, pixels: { ...message.pixels, data: new Uint8Array(message.pixels.data).toBase64() } }
          : message)`,
      );
    return {
      page,
      report,
      heard,
      until: (kind) => until(async () => (await heard()).find((message) => message.kind === kind)),
      send: (request) => page.evaluate(`framed["${name}"].send(${JSON.stringify(request)})`),
      review: async () => {
        const opened = `framed["${name}"].opened`;
        await page.evaluate(`framed["${name}"].review()`);
        const all = (kind: string) =>
          page.evaluate<Record<string, unknown>[]>(
            `${opened}.told.filter(({ kind }) => kind === ${JSON.stringify(kind)})`,
          );
        return {
          show: (anchors) => page.evaluate(`${opened}.show(${JSON.stringify(anchors)})`),
          reveal: (id) => page.evaluate(`${opened}.reveal(${id})`),
          pick: (isOn) => page.evaluate(`${opened}.pick(${isOn})`),
          stop: () => page.evaluate(`${opened}.stop()`),
          all,
          first: (kind) => until(async () => (await all(kind))[0]),
        };
      },
    };
  }

  return { publish, open, frame, user: () => user };
}
