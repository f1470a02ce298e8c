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

  /** Creates an organization; its owner publishes to it with the token, and its member sees reports of somebody else. */
  async function createOrganization() {
    const { slug, owner, members } = await scene.service.build.organization({ roles: ["member"] });
    const token = await scene.service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const path = `/w/${slug}?view=gallery`;
    const as = (user?: { slug: string }) => ({ email: `${user?.slug}@example.org`, path });
    return { token, author: as(owner), member: as(members[0]) };
  }

  test("are made from the frame under the pointer, and then shown instead of frames", async () => {
    const { token, member } = await createOrganization();
    const first = await scene.act.publish(token, { visibility: "public", files: [pageWith("First", RED)] });
    await scene.act.publish(token, { visibility: "public", files: [pageWith("Second", RED)] });
    const page = await visit(member);
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
    expect(await hasThumbnail(token, first.code)).toBe(true);
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
    const other = await visit(member);
    await cardOf(other, "First").locator("img").waitFor();
    await cardOf(other, "Second").getByText("S", { exact: true }).waitFor();
    expect(await other.locator("iframe").count()).toBe(0);
  });

  test("are made without being asked for while authors see their own in the gallery", async () => {
    const { token, author } = await createOrganization();
    const { code } = await scene.act.publish(token, {
      files: [{ path: "index.html", content: "<title>Blank</title>" }],
    });
    await scene.act.publish(token, { files: [pageWith("From CI", RED)] });
    const page = await visit(author);
    await cardOf(page, "From CI").locator("img").waitFor({ state: "attached" });
    const [red = 0] = await colorOf(page, "From CI");
    expect(Math.abs(red - 200)).toBeLessThan(12);
    await until(() => page.evaluate<boolean>(`localStorage.getItem("vitrine-pictures-tried")?.includes("${code}")`));
    await page.locator("iframe").waitFor({ state: "detached" });

    // What had no picture isn't loaded again, though it comes before the new one.
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    const another = await scene.act.publish(token, { title: "About another", files: [pageWith("Another", RED)] });
    await page.goto(`${scene.service.baseUrl}/-${author.path}&sort=-created`);
    await cardOf(page, "About another").locator("img").waitFor({ state: "attached" });
    expect([another.code, code].map((each) => loaded.some((url) => url.includes(each)))).toEqual([true, false]);
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
