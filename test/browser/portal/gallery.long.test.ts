import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { reportRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { createReportScene, expectNoBarriers, framed, pageWith } from "./report-scene.ts";

const RED = "<style>html { background: rgb(200, 0, 0) }</style>";

describeIf("thumbnails in the portal", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  const cardOf = (page: Page, title: string) => page.getByRole("gridcell").filter({ hasText: title });

  /** Returns a pixel of a card's picture, once it is loaded. */
  const colorOf = (page: Page, title: string) =>
    page.evaluate<number[]>(`(async () => {
      const cards = [...document.querySelectorAll('[role="gridcell"]')];
      const image = cards.find((card) => card.textContent.includes("${title}")).querySelector("img");
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 400 });
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return [...context.getImageData(320, 300, 1, 1).data];
    })()`);

  const hasThumbnail = async (token: string, code: string) =>
    (await scene.service.client(token).call(reportRoute, { query: { code } })).thumbnail_url !== null;

  test("are made from the frame under the pointer, and then shown instead of frames", async () => {
    const user = await scene.service.build.user();
    const first = await scene.act.publish(user.token, { files: [pageWith("First", RED)] });
    await scene.act.publish(user.token, { files: [pageWith("Second", RED)] });
    const page = await visit({ email: user.email, path: `/w/${user.slug}?view=gallery` });
    const card = cardOf(page, "First");
    await card.getByText("F", { exact: true }).waitFor();
    const frames = page.locator("iframe");
    expect([await frames.count(), await page.getByRole("grid").locator("img").count()]).toEqual([0, 0]);
    await expectNoBarriers(page);
    const box = await card.boundingBox();

    await card.hover();
    await framed(page, "First").waitFor();
    expect(await frames.count()).toBe(1);
    expect(await frames.getAttribute("sandbox")).toBe("allow-scripts");
    await card.locator("img").waitFor({ state: "attached" });
    expect(await hasThumbnail(user.token, first.code)).toBe(true);
    await page.mouse.move(0, 0);
    await frames.waitFor({ state: "detached" });
    const [red = 0, ...others] = await colorOf(page, "First");
    expect([Math.abs(red - 200) < 12, others.map((value) => value < 12 || value === 255)]).toEqual([
      true,
      [true, true, true],
    ]);
    // Nothing moved.
    expect(await card.boundingBox()).toEqual(box);
    await expectNoBarriers(page);

    // In another browser, nothing has to load but the picture.
    const other = await visit({ email: user.email, path: `/w/${user.slug}?view=gallery` });
    await cardOf(other, "First").locator("img").waitFor();
    await cardOf(other, "Second").getByText("S", { exact: true }).waitFor();
    expect(await other.locator("iframe").count()).toBe(0);
  });

  test("are made when somebody opens a version that has none", async () => {
    const user = await scene.service.build.user();
    const name = uniqueName();
    const { code } = await scene.act.publish(user.token, { name, files: [pageWith("Opened")] });
    const page = await visit({ email: user.email, path: `/r/${name}` });
    await framed(page, "Opened").waitFor();
    await until(() => hasThumbnail(user.token, code));
    expect(await page.locator("iframe").count()).toBe(1);
  });
});
