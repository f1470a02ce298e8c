import type { Page } from "playwright-core";
import { createFolderRoute } from "../../../src/contract/cabinet/cabinet.ts";
import { fileItemsRoute, tagItemsRoute } from "../../../src/contract/cabinet/items.ts";
import { createTagRoute } from "../../../src/contract/cabinet/tags.ts";
import { actionsOf } from "../../hosts/app/actions.ts";
import { type Service, uniqueName } from "../../support/service.ts";
import { settled } from "../../support/until.ts";
import { type createReportScene, pageWith } from "./report-scene.ts";

interface Owner {
  slug: string;
  token: string;
}

interface Wanted {
  title: string;
  folder?: string;
  tags?: readonly string[];
  visibility?: "public" | "private";
}

/** Publishes reports to a workspace in sequence, with their folders and tags; the last is the newest. */
export async function fillWorkspace(service: Service, { slug: owner, token }: Owner, wanted: readonly Wanted[]) {
  const client = service.client(token);
  const { publish } = actionsOf(service);
  const ids = new Map<string, string>();
  async function idOf(route: typeof createFolderRoute | typeof createTagRoute, title: string): Promise<string> {
    const known = ids.get(route.path + title);
    if (known !== undefined) return known;
    const { id } = await client.call(route, { body: { owner, title } });
    ids.set(route.path + title, id);
    return id;
  }
  const names: string[] = [];
  for (const { title, folder, tags = [], visibility = "private" } of wanted) {
    const name = uniqueName(title.toLowerCase().replace(/[^a-z0-9]+/g, "-"));
    names.push(name);
    await publish(token, { name, visibility, files: [pageWith(title)] });
    const items = [{ name }];
    if (folder !== undefined) {
      await client.call(fileItemsRoute, { body: { items, folder_id: await idOf(createFolderRoute, folder) } });
    }
    for (const tag of tags)
      await client.call(tagItemsRoute, { body: { items, add: [await idOf(createTagRoute, tag)] } });
  }
  return {
    names,
    folder: (title: string) => idOf(createFolderRoute, title),
    tag: (title: string) => idOf(createTagRoute, title),
  };
}

/** Returns the titles in the list, top to bottom. */
export const titles = (page: Page): Promise<string[]> => page.getByRole("gridcell").getByRole("link").allTextContents();

/** Waits until the list shows these titles. */
export async function expectTitles(page: Page, wanted: readonly string[]): Promise<void> {
  await settled(() => titles(page), wanted);
}

export const row = (page: Page, title: string) => page.getByRole("row").filter({ hasText: title });

export const selectedTitles = (page: Page): Promise<string[]> =>
  page.locator("[role=row][aria-selected=true]").getByRole("link").allTextContents();

/** Returns whether the row with a title has the focus. */
export const hasFocus = (page: Page, title: string): Promise<boolean> =>
  row(page, title).evaluate((element) => element === element.ownerDocument.activeElement);

export const THREE = [
  { title: "Apples" },
  { title: "Bananas", folder: "Fruit" },
  { title: "Carrots", tags: ["Fresh"] },
] as const;

/** Opens the list of a new workspace with three reports: the newest with a tag, one in a folder. */
export async function openThree(scene: ReturnType<typeof createReportScene>) {
  const user = await scene.service.build.user();
  const filled = await fillWorkspace(scene.service, user, THREE);
  const page = await scene.visit({ email: user.email, path: `/w/${user.slug}` });
  await expectTitles(page, ["Carrots", "Bananas", "Apples"]);
  return { user, page, ...filled };
}
