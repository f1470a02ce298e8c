import { expect, test } from "bun:test";
import { operatorOfCommand } from "../../../src/domain/model/access.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addPerson } from "../../support/people.ts";
import { describeIf } from "../../support/skip.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, said } from "./people-scene.ts";

const PAGES = ["Server", "People", "Organizations", "Storage", "Access tokens", "Audit log"];

describeIf("the pages of operators", chromiumUnavailable(), () => {
  const scene = createPeopleScene();

  test("show the server, and let operators disable a person, which is in the audit log", async () => {
    const { service, visit } = scene;
    const [operator, other] = [await addPerson(service), await addPerson(service)];
    const change = { by: operatorOfCommand(), userId: operator.userId, isOperator: true, now: Date.now() };
    await service.build.store.operations.setOperator(change);
    const page = await visit({ email: operator.email, path: "/" });
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Administration" }).click();
    for (const name of PAGES) {
      await page.getByRole("navigation", { name: "Administration" }).getByRole("link", { name }).press("Enter");
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.getByRole("main").locator("[aria-busy]").first().waitFor({ state: "detached" });
      await expectNoBarriers(page);
      await expectFitForPhones(page);
    }
    await page.getByRole("link", { name: "People" }).click();
    await page.getByRole("searchbox", { name: "Find a person" }).fill(other.slug);
    await page.getByRole("button", { name: `Actions for ${operator.slug}` }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: `Actions for ${other.slug}` }).press("Enter");
    await page.getByRole("menuitem", { name: "Disable user" }).press("Enter");
    await page.getByRole("dialog").getByText("Their reports stay.").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await said(page, `${other.slug} disabled`);
    await page.getByRole("listitem").filter({ hasText: "Disabled" }).waitFor();
    await page.getByRole("link", { name: "Audit log" }).click();
    const entry = page.getByRole("listitem").filter({ hasText: `${operator.slug} disabled user ${other.slug}` });
    await entry.waitFor();
    expect(await entry.textContent()).toContain("in a browser");
  });

  test("don't exist for anyone else, who can read the audit log of their own workspace", async () => {
    const { service, visit } = scene;
    const person = await addPerson(service);
    const page = await visit({ email: person.email, path: "/admin" });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await page.getByRole("button", { name: /^Account of/ }).click();
    expect(await page.getByRole("menuitem", { name: "Administration" }).count()).toBe(0);
    await page.goto(`${service.baseUrl}/-/w/${person.slug}/audit`);
    await page
      .getByRole("listitem")
      .filter({ hasText: `${person.slug} signed in` })
      .first()
      .waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
  });
});
