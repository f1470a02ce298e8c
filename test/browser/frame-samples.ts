import type { Browser, Locator, Page } from "playwright-core";
import { until } from "../support/until.ts";

/** A color as red, green and blue, 0 to 255. */
export type Color = readonly [number, number, number];

/** Records what a page shows, frame by frame, while something happens. Returns the color in the middle of each frame. */
export async function sampleFrames(page: Page, act: () => Promise<void>): Promise<Color[]> {
  const session = await page.context().newCDPSession(page);
  const frames: string[] = [];
  session.on("Page.screencastFrame", ({ data, sessionId }) => {
    frames.push(data);
    session.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined);
  });
  await session.send("Page.startScreencast", { format: "png", everyNthFrame: 1 });
  await act();
  // The last frames may still be under way.
  await until(async () => {
    const [shown, seen] = [await groundOf(page), await middlesOf(browserOf(page), frames.slice(-1))];
    return frames.length === 0 || Bun.deepEquals(seen[0], shown);
  });
  await session.send("Page.stopScreencast");
  await session.detach();
  return middlesOf(browserOf(page), frames);
}

/** Returns the current color in the middle of a page, or of the visible part of one of its elements. */
export async function groundOf(page: Page, element: Page | Locator = page): Promise<Color | undefined> {
  const [color] = await middlesOf(browserOf(page), [(await element.screenshot()).toString("base64")]);
  return color;
}

function browserOf(page: Page): Browser {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page has no browser.");
  return browser;
}

async function middlesOf(browser: Browser, frames: readonly string[]): Promise<Color[]> {
  const page = await browser.newPage();
  try {
    return await page.evaluate<Color[]>(`(${MIDDLES})(${JSON.stringify(frames)})`);
  } finally {
    await page.close();
  }
}

/** Runs in a browser, which can decode images. */
const MIDDLES = `async (frames) => {
  const colors = [];
  for (const frame of frames) {
    const bytes = Uint8Array.from(atob(frame), (letter) => letter.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes]));
    const context = new OffscreenCanvas(1, 1).getContext("2d");
    context.drawImage(image, image.width >> 1, image.height >> 1, 1, 1, 0, 0, 1, 1);
    colors.push([...context.getImageData(0, 0, 1, 1).data].slice(0, 3));
  }
  return colors;
}`;
