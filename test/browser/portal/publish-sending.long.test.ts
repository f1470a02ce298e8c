import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tagItemsRoute } from "../../../src/contract/cabinet/items.ts";
import { accountRoute } from "../../../src/contract/people/account.ts";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { itemRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { publishReport, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { dropMade, focused, paste } from "./publishing.ts";

const KIBIBYTE = 1024;

describeIf("sending a report from the portal", chromiumUnavailable(), () => {
  const service = useService({ environment: { VITRINE_QUOTA_PRO: "1MB" } });
  const browser = useBrowser();

  /** Opens the publish page with a pasted document. */
  const open = async (html = "<title>Pasted</title>") => {
    const user = await service.build.user();
    const visitor = await openPortal(browser, service, user.email, { path: `/w/${user.slug}/publish` });
    await visitor.page.getByText("Drop files or a folder here").waitFor();
    await paste(visitor.page, { "text/plain": html });
    await visitor.page.getByRole("button", { name: "Remove index.html" }).waitFor();
    return { ...visitor, user, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
  };
  const main = (page: Page) => page.getByRole("main");
  const publish = (page: Page) => main(page).getByRole("button", { name: "Publish", exact: true }).click();
  const alert = (page: Page) => page.getByRole("alert").filter({ hasText: "Couldn't publish" });
  const uploadsOf = (page: Page) => {
    const uploads: string[] = [];
    page.on("request", (request) => request.url().endsWith(uploadRoute.path) && uploads.push(request.url()));
    return uploads;
  };
  /** Holds requests to a place back until released. */
  const hold = async (page: Page, place: string) => {
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(place, async (route) => {
      ask();
      await isReleased;
      await route.continue();
    });
    return { isAsked, release };
  };
  const isPublished = (page: Page) => page.waitForURL(/\/-\/r\/[^/]+\?share=true$/);
  const slowly = async (page: Page, uploadThroughput: number) => {
    const debugging = await page.context().newCDPSession(page);
    const send = (throughput: number) =>
      debugging.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: throughput,
      });
    await send(uploadThroughput);
    return { end: () => send(-1) };
  };

  test("a name owned by someone else is refused at its field and can be changed there", async () => {
    const name = uniqueName();
    const other = await service.build.user();
    await publishReport(service.client(other.token), { name });
    await using visitor = await open();
    const { page } = visitor;
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByText("Live link:").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(`The name "${name}" is taken.`).waitFor();
    await settled(() => focused(page), "Name");
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("End");
    await page.keyboard.type("-2");
    await page.getByText("Live link:").waitFor();
    await page.keyboard.press("Enter");
    await isPublished(page);
    expect(page.url()).toEndWith(`/-/r/${name}-2?share=true`);
    expect(visitor.troubles).toEqual([]);
  });

  test("a report is published once, also when its author publishes again while its tags are added", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.getByRole("button", { name: "No tags" }).click();
    await page.getByRole("dialog", { name: "Choose tags" }).waitFor();
    await page.keyboard.type("harvest");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "harvest", selected: true }).waitFor();
    await page.keyboard.press("Escape");
    const uploads = uploadsOf(page);
    const tagging = await hold(page, `**${tagItemsRoute.path}`);
    await publish(page);
    await tagging.isAsked;
    await page.keyboard.press("ControlOrMeta+Enter");
    tagging.release();
    await isPublished(page);
    expect(uploads).toHaveLength(1);
    expect(visitor.troubles).toEqual([]);
  });

  test("a report is published once, also when its author publishes again while another name is looked for", async () => {
    const name = uniqueName();
    await publishReport(service.client((await service.build.user()).token), { name });
    await using visitor = await open(`<title>${name}</title>`);
    const { page, user } = visitor;
    await settled(() => page.getByRole("textbox", { name: "Name" }).inputValue(), name);
    const uploads = uploadsOf(page);
    const other = `${name}-${user.slug}`;
    const looking = await hold(page, `**${itemRoute.path}?*${other}*`);
    await publish(page);
    await looking.isAsked;
    await page.keyboard.press("ControlOrMeta+Enter");
    looking.release();
    await isPublished(page);
    expect(page.url()).toEndWith(`/-/r/${other}?share=true`);
    // The first one was refused.
    expect(uploads).toHaveLength(2);
    expect(visitor.troubles).toEqual([]);
  });

  test("a refusal shows the server's message, and publishing works once it is fixed", async () => {
    await using visitor = await open("x".padStart(600 * KIBIBYTE, "<p>"));
    const { page, user } = visitor;
    const files = [{ path: "index.html", content: "x".repeat(700 * KIBIBYTE) }];
    // Until the refusal, the page doesn't know how little is left.
    const refused = Promise.withResolvers<void>();
    let isSecret = false;
    await page.route("**/api/account", async (route) => {
      await refused.promise;
      const response = await route.fetch();
      // Decided only now, because a request sent before the plan changes can be answered after it.
      await (isSecret ? route.abort() : route.fulfill({ response }));
    });
    await publishReport(service.client(user.token), { files });
    await publish(page);
    await alert(page)
      .getByText("The workspace's storage quota is full, so nothing was published. Delete reports to free up space.")
      .waitFor();
    await settled(() => focused(page), "Try again");
    expect(await findBarriers(page)).toEqual([]);
    refused.resolve();
    // The remaining quota is known by now.
    await page.getByText("The workspace has room for 324 kB more").waitFor();

    await page.route("**/api/upload", (route) =>
      route.fulfill({ status: 413, json: { error: "The request exceeds the limit of 20 MB." } }),
    );
    await page.getByRole("button", { name: "Remove index.html" }).click();
    await paste(page, { "text/plain": "<title>Small</title>" });
    await page.getByRole("button", { name: "Try again" }).click();
    await alert(page).getByText("The request exceeds the limit of 20 MB.").waitFor();
    await page.unroute("**/api/upload");

    // The page doesn't know yet.
    isSecret = true;
    await service.build.accounts.setPlan(user.slug, "free");
    await dropMade(page, { "a.css": "" });
    await page.getByRole("button", { name: "Remove a.css" }).waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await alert(page)
      .getByText(
        "The free plan allows a single index.html without other files. Embed the files in index.html, or upgrade to the pro plan.",
      )
      .waitFor();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("button", { name: "Remove the other files" }).click();
    await page.getByRole("button", { name: "Remove a.css" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Try again" }).click();
    await isPublished(page);
    expect(visitor.troubles).toEqual([]);
  });

  test("a lost connection is reported, and everything can be sent again", async () => {
    await using visitor = await open();
    const { page } = visitor;
    await page.context().setOffline(true);
    await publish(page);
    await alert(page).getByText("Couldn't reach the server, so the report wasn't published.").waitFor();
    await page.context().setOffline(false);
    await page.route("**/api/upload", (route) =>
      route.fulfill({ status: 401, json: { error: "A token or a session is required." } }),
    );
    await page.getByRole("button", { name: "Try again" }).click();
    await alert(page).getByRole("link", { name: "Sign in in another tab, then try again" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.unroute("**/api/upload");
    await publish(page);
    await isPublished(page);
    expect(visitor.troubles).toEqual([]);
  });

  test("progress is shown, and cancelling or leaving asks first", async () => {
    // Takes 13 s to send, so that a busy machine can do all of the following meanwhile.
    await using visitor = await open(`<title>Large</title>${"x".repeat(1000 * KIBIBYTE)}`);
    const { page, user } = visitor;
    const slow = await slowly(page, 75 * KIBIBYTE);
    await publish(page);
    await page.getByText(/ of 1,000 kB$/).waitFor();
    await settled(() => focused(page), "Cancel");
    const bar = page.getByRole("progressbar", { name: "Upload" });
    expect(Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(0);
    expect(await page.getByRole("textbox", { name: "Name" }).isDisabled()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("link", { name: "Vitrine, home" }).click();
    const question = page.getByRole("dialog", { name: "Leave this page?" });
    await question.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await question.getByRole("button", { name: "Stay" }).click();
    await question.waitFor({ state: "detached" });
    const asked = page.waitForEvent("dialog");
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Cancelled. The report wasn't published.").waitFor();
    await settled(() => focused(page), "Publish");

    await publish(page);
    await page.getByText(/ of 1,000 kB$/).waitFor();
    await page.getByRole("link", { name: "Vitrine, home" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}`);
    await slow.end();
    const { workspaces } = await service.client(user.token).call(accountRoute);
    expect(workspaces[0]?.stored_bytes).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });

  test("warnings are counted, and the link is copied all the same", async () => {
    await using visitor = await open(
      "<title>Warned</title><base href=/><img src=/a.png><script>localStorage.x = 1</script>",
    );
    const { page } = visitor;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    const name = uniqueName("warned");
    await page.getByRole("textbox", { name: "Name" }).fill(name);
    await page.getByText("Live link:").waitFor();
    await publish(page);
    await page.getByText("Published with 3 warnings. The live link is in your clipboard.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`${service.baseUrl}/${name}/`);
    // Taking a picture of the report loads it once more.
    expect(visitor.troubles).not.toBeEmpty();
    for (const trouble of visitor.troubles) expect(trouble).toContain("localStorage");
  });
});
