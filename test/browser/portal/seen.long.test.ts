import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { seenRoute } from "../../../src/contract/seen/seen.ts";
import { actionsOf } from "../../hosts/app/actions.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization } from "../../support/people.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers } from "./people-scene.ts";

/** Waits for a notification about success. */
const done = (page: Page, message: string) => page.getByRole("status").filter({ hasText: message }).waitFor();

describeIf("who has seen a report", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;

  test("publishers see who has read which version, readers are told, and turning it off deletes that", async () => {
    const { service } = scene;
    const { slug, owner, admin, member } = await addOrganization(service);
    const token = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const name = uniqueName();
    const act = actionsOf(service);
    const { code } = await act.publish(token, { name, visibility: "org", title: "Weekly sales" });

    const settings = await visit({ email: owner.email, path: `/w/${slug}/settings` });
    await settings.getByLabel("Names of signed-in readers").focus();
    // Chosen at once, not only when the call has started.
    expect(await settings.evaluate<boolean>("document.activeElement.click(); document.activeElement.checked")).toBe(
      true,
    );
    await done(settings, "Views will be recorded with names");
    await expectNoBarriers(settings);

    // On the version link, a reader is told; a colleague reads it in the portal.
    const reading = await visit({ email: admin.email, path: "/" });
    await reading.goto(`${service.baseUrl}/${code}/`);
    await reading.getByText("The publisher sees that you viewed this").waitFor();
    await reading.locator("iframe").contentFrame().locator("body").waitFor();
    const portal = await visit({ email: owner.email, path: `/r/${name}` });
    await portal.getByRole("region", { name: "Seen by" }).waitFor();
    const readers = async () => (await service.client(token).call(seenRoute, { query: { name } })).readers;
    await until(async () => (await readers()).length === 2);

    const second = await act.publish(token, { name, visibility: "org", title: "Weekly sales" });
    await portal.goto("about:blank");
    await reading.goto(`${service.baseUrl}/${second.code}/`);
    await until(async () => (await readers()).find((reader) => reader.slug === admin.slug)?.version_nos.includes(2));

    const page = await visit({ email: member.email, path: `/r/${name}` });
    const seen = page.getByRole("region", { name: "Seen by" });
    const entries = seen.getByRole("list", { name: "Readers" }).getByRole("listitem");
    await entries.nth(1).waitFor();
    expect(await entries.nth(0).textContent()).toContain("Version 2");
    expect(await entries.nth(1).textContent()).toContain("Version 1, not 2");
    await seen.getByText("3 views").waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);

    await settings.getByLabel("Off", { exact: true }).click();
    await settings.getByRole("dialog", { name: "Delete all recorded views?" }).waitFor();
    await expectNoBarriers(settings);
    await settings.getByRole("button", { name: "Delete" }).click();
    await done(settings, "Views are no longer recorded");
    await seen.waitFor({ state: "detached" });
    expect(await readers()).toEqual([]);
  });
});
