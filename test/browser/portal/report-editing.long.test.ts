import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { details, openReport } from "./open-report.ts";
import { choose, createReportScene, expectNoBarriers, focusedText, framed } from "./report-scene.ts";

describeIf("a report's page", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  test("the title is edited in place, undone, and returned to the document's", async () => {
    const { user, page } = await openReport(scene);
    await framed(page, "Second").waitFor();
    const heading = page.getByRole("heading", { level: 1 });
    const titleOf = async () => (await scene.act.list(user.token)).groups[0]?.latest_title;
    await heading.getByRole("button").click();
    await page.getByRole("textbox", { name: "Title" }).fill("Not this");
    await page.keyboard.press("Escape");
    await settled(() => heading.innerText(), "Second");
    await settled(() => focusedText(page), "Second");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title" }).fill("Sales, by week");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await settled(() => heading.innerText(), "Sales, by week");
    expect(await titleOf()).toBe("Sales, by week");
    await page.getByRole("button", { name: "Undo" }).click();
    await settled(() => heading.innerText(), "Second");
    expect(await titleOf()).toBe("Second");

    await choose(page, "More actions", "Edit title");
    await page.getByRole("textbox", { name: "Title" }).fill("مبيعات الأسبوع");
    await page.keyboard.press("Enter");
    await settled(() => heading.innerText(), "مبيعات الأسبوع");
    await heading.getByRole("button").click();
    await page.getByRole("button", { name: "Use the document's title" }).click();
    await settled(() => heading.innerText(), "Second");
    expect(await titleOf()).toBe("Second");
  });

  test("a report that needs storage says so, and gets it in place", async () => {
    const user = await scene.service.build.user();
    const name = uniqueName();
    // Otherwise the browser would report the error as one of the page around.
    const quiet = `<script>addEventListener("error", (event) => event.preventDefault())</script>`;
    const script = `${quiet}<script>localStorage.setItem("a", "1"); document.body.innerHTML = "<h1>Works</h1>";</script>`;
    const files = [{ path: "index.html", content: `<!doctype html><title>Stored</title><body>${script}` }];
    const { code } = await scene.act.publish(user.token, { name, files });
    const page = await visit({ email: user.email, path: `/r/${name}` });
    await page.getByText("This report needs browser storage.").waitFor();
    await expectNoBarriers(page);
    const warnings = page.getByRole("button", { name: /^\d warnings?$/ }).first();
    await warnings.click();
    await page.getByRole("listitem").filter({ hasText: "localStorage" }).first().waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Turn on for this report" }).click();
    await framed(page, "Works").waitFor();
    await page.getByText("This report needs browser storage.").waitFor({ state: "detached" });
    const { storage, current_code: current } = (await scene.act.list(user.token)).groups[0] ?? {};
    expect({ storage, current }).toEqual({ storage: "memory", current: code });
    const field = details(page).getByRole("switch", { name: "Browser storage" });
    expect(await field.isChecked()).toBe(true);
    await field.press("Space");
    await page.getByText("This report needs browser storage.").waitFor();
  });
});
