import { expect } from "bun:test";
import { type Service, uniqueName } from "../../../support/service.ts";
import { orderActionsOf } from "./order-actions.ts";

/** Creates a new user's cabinet, and another user's. */
export async function createCabinet(service: Service) {
  const act = orderActionsOf(service);
  const { build } = service;
  const { slug: owner, token } = await build.user();

  const foldersOf = async () => (await act.taxonomy(token, owner)).folders;
  const folderOf = async (wanted: string) => (await foldersOf()).find(({ id }) => id === wanted);
  const drawer = () => act.createDrawer(token, owner, uniqueName("Drawer"));

  async function filedGroup(folder: string) {
    const name = uniqueName();
    await act.publish(token, { name, folder });
    const { folder_id, drawer_id } = await act.group(token, name);
    return { name, id: folder_id ?? "", drawerId: drawer_id };
  }

  /** Creates objects of another user, and records their state. */
  async function others() {
    const { slug, token: theirs } = await build.user();
    const itsDrawer = await act.createDrawer(theirs, slug, "Theirs");
    const folder = await act.createFolder(theirs, slug, "Theirs", itsDrawer.id);
    return { theirs, slug, drawer: itsDrawer, folder, before: await act.taxonomy(theirs, slug) };
  }
  const unchanged = async ({ theirs, slug, before }: Awaited<ReturnType<typeof others>>) =>
    expect(await act.taxonomy(theirs, slug)).toEqual(before);

  return { act, owner, token, foldersOf, folderOf, drawer, filedGroup, others, unchanged };
}

export type Cabinet = Awaited<ReturnType<typeof createCabinet>>;
