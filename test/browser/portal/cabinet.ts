import type { Page } from "playwright-core";
import {
  createDrawerRoute,
  createFolderRoute,
  createTagRoute,
  fileItemsRoute,
  taxonomyRoute,
} from "../../../src/client/routes.ts";
import type { Service } from "../../support/service.ts";

/** Somebody's cabinet through the API. */
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

/** The cabinet as it is seen on a page. */
export function seenCabinet(page: Page) {
  const tree = (name: string) => page.getByRole("tree", { name, exact: true });
  return {
    shortcuts: tree("Shortcuts"),
    folders: tree("Drawers and folders"),
    tags: tree("Tags"),
    /** A row by the title with which its name begins. */
    row: (title: string) =>
      tree("Drawers and folders")
        .or(tree("Tags"))
        .getByRole("treeitem", { name: new RegExp(`^${title} `) }),
    /** Titles of the rows, each after as many dots as it stands deep. */
    lines: async (name: string): Promise<string[]> =>
      tree(name)
        .getByRole("treeitem")
        .evaluateAll((rows) =>
          rows.map((row) => {
            const title = row.querySelector("a > span")?.textContent ?? "";
            return ".".repeat(Number(row.getAttribute("aria-level")) - 1) + title;
          }),
        ),
    /** Chooses from the menu of an entry. */
    async choose(title: string, action: string | RegExp): Promise<void> {
      await this.row(title).click({ button: "right" });
      await page.getByRole("menuitem", { name: action }).click();
    },
    /** What has the focus, by the title of its row or else by its name. */
    focused: () =>
      page.evaluate(
        `document.activeElement.querySelector("a > span")?.textContent ?? document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent`,
      ),
  };
}
