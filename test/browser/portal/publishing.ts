import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Frame, FrameLocator, Locator, Page } from "playwright-core";
import { PREVIEW_PATH } from "../../../src/contract/model/frames.ts";

/** A temporary directory with files, by their paths in it. */
export interface Folder extends AsyncDisposable {
  path: string;
}

export async function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<Folder> {
  const parent = await mkdtemp(join(tmpdir(), "vitrine-folder-"));
  const path = join(parent, "report");
  for (const [name, content] of Object.entries(files)) {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await Bun.write(file, content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(parent, { recursive: true }) };
}

/** Drags files or folders of this machine over a place, or the middle of the page, as from the desktop. */
export async function dragOver(
  page: Page,
  paths: readonly string[],
  at?: { x: number; y: number },
): Promise<{ drop(): Promise<void> }> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const { x, y } = at ?? { x: width / 2, y: height / 2 };
  const place = { x: Math.round(x), y: Math.round(y) };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  const debugging = await page.context().newCDPSession(page);
  const send = (type: "dragEnter" | "dragOver" | "drop") =>
    debugging.send("Input.dispatchDragEvent", { type, ...place, data });
  await send("dragEnter");
  await send("dragOver");
  return {
    async drop() {
      await send("drop");
      await debugging.detach();
    },
  };
}

/** Drops files that the page creates itself, which have no entries in any file system. */
export const dropMade = (page: Page, files: Readonly<Record<string, string>>): Promise<unknown> =>
  page.evaluate(`{
    const dataTransfer = new DataTransfer();
    for (const [name, content] of Object.entries(${JSON.stringify(files)})) {
      dataTransfer.items.add(new File([content], name));
    }
    for (const type of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }`);

/** Pastes while no field is focused. */
export const paste = (page: Page, contents: Readonly<Record<string, string>>): Promise<unknown> =>
  page.evaluate(`{
    const clipboardData = new DataTransfer();
    for (const [type, text] of Object.entries(${JSON.stringify(contents)})) clipboardData.setData(type, text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }`);

/** Returns the name of the focused element. */
export const focused = (page: Page): Promise<unknown> =>
  page.evaluate(
    "document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent",
  );

/** The report in the publish page's preview. */
export const previewOf = (page: Page): FrameLocator => page.frameLocator("iframe[title^='Preview of']");

export const previewFrame = (page: Page): Frame | undefined =>
  page.frames().find((frame) => new URL(frame.url()).pathname === PREVIEW_PATH);

export const shareDialog = (page: Page): Locator => page.getByRole("dialog", { name: /^Share/ });
