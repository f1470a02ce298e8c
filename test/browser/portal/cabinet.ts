import type { Page } from "playwright-core";
import {
  createDrawerRoute,
  createFolderRoute,
  createTagRoute,
  fileItemsRoute,
  taxonomyRoute,
} from "../../../src/client/routes.ts";
import type { Service } from "../../support/service.ts";

/** Returns actions on a person's cabinet through the API. */
export function cabinetOf(service: Service, { slug: owner, token }: { slug: string; token: string }) {
  const api = service.client(token);
  return {
    api,
    drawer: async (title: string) => (await api.call(createDrawerRoute, { body: { owner, title } })).id,
    folder: async (title: string, drawer_id?: string) =>
      (await api.call(createFolderRoute, { body: { owner, title, drawer_id } })).id,
    tag: async (title: string, parent_id?: string) =>
      (await api.call(createTagRoute, { body: { owner, title, parent_id } })).id,
    file: (name: string, folder_id: string | null) =>
      api.call(fileItemsRoute, { body: { items: [{ name }], folder_id } }),
    taxonomy: () => api.call(taxonomyRoute, { query: { owner } }),
  };
}

/** Returns the cabinet as a page shows it. */
export function seenCabinet(page: Page) {
  const tree = (name: string) => page.getByRole("tree", { name, exact: true });
  return {
    shortcuts: tree("Shortcuts"),
    folders: tree("Drawers and folders"),
    tags: tree("Tags"),
    /** Locates a row by its title, with which its accessible name begins. */
    row: (title: string) =>
      tree("Drawers and folders")
        .or(tree("Tags"))
        .getByRole("treeitem", { name: new RegExp(`^${title} `) }),
    /** Returns the titles of the rows, each after one dot per level. */
    lines: async (name: string): Promise<string[]> =>
      tree(name)
        .getByRole("treeitem")
        .evaluateAll((rows) =>
          rows.map((row) => {
            const title = row.querySelector("a > span")?.textContent ?? "";
            return ".".repeat(Number(row.getAttribute("aria-level")) - 1) + title;
          }),
        ),
    /** Chooses an item of an entry's menu. */
    async choose(title: string, action: string | RegExp): Promise<void> {
      await this.row(title).click({ button: "right" });
      await page.getByRole("menuitem", { name: action }).click();
    },
    /** Returns the title of the focused row, or the name of another focused element. */
    focused: () =>
      page.evaluate(
        `document.activeElement.querySelector("a > span")?.textContent ?? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
      ),
  };
}
