import { expect, test } from "bun:test";
import { requestAccessRoute } from "../../../src/contract/sharing/requests.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addPerson } from "../../support/people.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createReportScene, expectNoBarriers, expectNoSidewaysScroll, pageWith, undo } from "./report-scene.ts";

const SHOTS = process.env.VITRINE_TEST_SHOTS;

describeIf("sharing in the portal", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  async function publish() {
    const [owner, reader] = [await addPerson(scene.service), await addPerson(scene.service)];
    const name = uniqueName();
    await scene.act.publish(owner.token, { name, title: "Weekly sales", files: [pageWith("Weekly")] });
    return { owner, reader, name };
  }

  const shoot = async (page: Awaited<ReturnType<typeof visit>>, name: string) => {
    if (SHOTS === undefined) return;
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.screenshot({ path: `${SHOTS}/${name}-${width}-${scheme}.png` });
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
    await page.setViewportSize({ width: 1280, height: 800 });
  };

  test("the QR code and the embed code come into view where they open", async () => {
    const { owner, name } = await publish();
    const page = await visit({ email: owner.email, path: `/r/${name}?share=true` });
    await page.setViewportSize({ width: 390, height: 480 });
    const ends = {
      "QR code": page.getByRole("button", { name: "Download SVG" }),
      Embed: page.getByText("Only public reports can be embedded with this code."),
    };
    for (const [button, end] of Object.entries(ends)) {
      await page.getByRole("button", { name: button }).click();
      const isInView = () =>
        end.evaluate((element) => {
          const { left, bottom } = element.getBoundingClientRect();
          return element.contains(element.ownerDocument.elementFromPoint(left + 8, bottom - 4));
        });
      await settled(isInView, true);
    }
  });

  test("a person is added in the Share dialog, finds the report, and is removed with undo", async () => {
    const { owner, reader, name } = await publish();
    const page = await visit({ email: owner.email, path: `/r/${name}?share=true` });
    const field = page.getByRole("textbox", { name: "Email addresses" });
    await field.fill("nonsense");
    await page.keyboard.press("Enter");
    await page.getByText(/isn't a valid email address/).waitFor();
    await field.fill(`${reader.email}, other@example.org`);
    await page.keyboard.press("Enter");
    const people = page.getByRole("list", { name: "People who can view it" });
    await people.getByText(reader.email).waitFor();
    expect(await people.getByRole("listitem").count()).toBe(2);
    await page.getByText("You and the people below can view.").waitFor();
    await expectNoBarriers(page);
    await shoot(page, "share-dialog");

    const other = await visit({ email: reader.email, path: "/" });
    await other.getByRole("link", { name: "Shared with me" }).click();
    await other.getByRole("heading", { level: 1, name: "Shared with me" }).waitFor();
    const link = other.getByRole("link", { name: "Weekly sales" });
    await link.waitFor();
    await expectNoBarriers(other);
    await expectNoSidewaysScroll(other);
    await shoot(other, "shared-with-me");

    await page.getByRole("button", { name: `Remove ${reader.email}` }).click();
    await link.waitFor({ state: "detached" });
    await undo(page, `Stopped sharing with ${reader.email}`);
    await link.click();
    await other.frameLocator("iframe").getByRole("heading", { name: "Weekly" }).waitFor();
    expect(new URL(other.url()).pathname).toBe(`/${name}/`);
    await other.goto(`${scene.service.baseUrl}/-/r/${name}`);
    await other.getByRole("link", { name: "Open report" }).waitFor();
    await expectNoBarriers(other);
    await shoot(other, "shared-report");
    await other.goto(`${scene.service.baseUrl}/-/r/${name}?thread=thr_unknown`);
    await other.waitForURL(`${scene.service.baseUrl}/${name}/`);
    await other.getByRole("region", { name: "Comments" }).waitFor();
  });

  test("a link without access leads to a request, which the owner accepts", async () => {
    const { owner, reader, name } = await publish();
    const page = await visit({ email: reader.email, path: "/" });
    await page.goto(`${scene.service.baseUrl}/${name}/`);
    await shoot(page, "no-access");
    await page.getByRole("link", { name: "request access" }).click();
    await page.getByRole("textbox", { name: "Message (optional)" }).fill("For Monday");
    await expectNoBarriers(page);
    await shoot(page, "request-access");
    await page.getByRole("button", { name: "Request access" }).click();
    await page.getByRole("heading", { name: "Request sent" }).waitFor();

    const answering = await visit({ email: owner.email, path: "/" });
    await answering.getByRole("link", { name: /^Requests/ }).click();
    await answering.getByText("For Monday").waitFor();
    await expectNoBarriers(answering);
    await shoot(answering, "requests");
    await answering.getByRole("button", { name: `Accept the request of ${reader.email}` }).click();
    await answering.getByRole("heading", { name: "No open requests" }).waitFor();
    await page.goto(`${scene.service.baseUrl}/${name}/`);
    await page.frameLocator("iframe").getByRole("heading", { name: "Weekly" }).waitFor();
  });

  test("a request is counted in the sidebar while the portal is open, and nothing jumps", async () => {
    const { owner, reader, name } = await publish();
    const page = await visit({ email: owner.email, path: "/" });
    const below = page.getByRole("link", { name: "Trash" });
    await page.getByRole("link", { name: "Requests", exact: true }).waitFor();
    const before = await below.boundingBox();
    await scene.service.client(reader.token).call(requestAccessRoute, { body: { name } });
    await page.getByRole("link", { name: /^Requests\s+1\b/ }).waitFor();
    expect(await below.boundingBox()).toEqual(before);
  });
});
