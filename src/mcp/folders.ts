import { type FolderPlan, findDrawer, planFolder, type Taxonomy } from "../client/labels.ts";
import { quoteTitle } from "./fence.ts";

/**
 * Says where a label files reports: which folder, in which drawer, and what of it is new. Names what has the same title,
 * because people don't tell a drawer from a folder at the root. Throws `LabelError`.
 */
export function describeFolder(taxonomy: Taxonomy, label: string): string {
  const plan = planFolder(taxonomy, label);
  const folder = `the ${plan.folder === undefined ? "new " : ""}folder ${quoteTitle(plan.title)}`;
  return folder + (plan.drawer === undefined ? describeRoot(taxonomy, plan) : describeDrawer(taxonomy, plan.drawer));
}

function describeDrawer({ folders }: Taxonomy, { title, isNew }: NonNullable<FolderPlan["drawer"]>): string {
  const drawer = ` in the ${isNew ? "new " : ""}drawer ${quoteTitle(title)}`;
  const namesake = folders.find((folder) => folder.drawer_id === null && isSame(folder.title, title));
  if (namesake === undefined) return drawer;
  return `${drawer} (not in the folder ${quoteTitle(namesake.title)}, because only drawers have folders)`;
}

function describeRoot(taxonomy: Taxonomy, { title }: FolderPlan): string {
  const namesake = findDrawer(taxonomy, title);
  return namesake === undefined ? "" : ` outside drawers (not the drawer ${quoteTitle(namesake.title)})`;
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
