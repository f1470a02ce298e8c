import { expect, test } from "bun:test";
import { actionsOf } from "../../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { openPortal } from "./portal.ts";

describeIf("what changed, in the portal", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  test("what scripts draw is compared as it is rendered, in the bar and in Compare", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const publish = (sold: number) =>
      act.publish(user.token, {
        name,
        files: [
          {
            path: "index.html",
            content: `<!doctype html><title>Sales</title><h1>Sales</h1><h2>Units</h2><p>By day</p><p id="sold"></p>
              <script>fetch("data.json").then((it) => it.json()).then(({ sold }) => (document.getElementById("sold").textContent = "Sold " + sold + " units"))</script>`,
          },
          { path: "data.json", content: JSON.stringify({ sold }) },
        ],
      });
    await publish(10);
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${name}` });
    const { page: portal } = visitor;
    await portal.frameLocator("iframe").getByText("Sold 10 units").waitFor();
    await publish(25);
    await portal.getByText("Version 2: 1 number").last().waitFor();
    await portal.goto(`${service.baseUrl}/-/r/${name}?tab=compare`);
    await portal.getByText("Changes", { exact: true }).click();
    const list = portal.getByRole("region", { name: "Changes" });
    await list.getByText("+15, +150 %").waitFor();
    expect(await list.getByText("Scripts draw parts").count()).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });
});
