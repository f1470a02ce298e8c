import type { Route } from "../../../src/contract/model/route.ts";
import { createThreadRoute } from "../../../src/contract/reviews/threads.ts";
import { addFilterRoute } from "../../../src/contract/search/saved-filters.ts";
import { createGuestLinkRoute } from "../../../src/contract/sharing/guest-links.ts";
import { accessRequestsRoute, requestAccessRoute } from "../../../src/contract/sharing/requests.ts";
import { setThumbnailRoute } from "../../../src/contract/thumbnails/thumbnails.ts";
import { trashRoute } from "../../../src/contract/trash/trash.ts";
import { webpOf } from "../../domain/thumbnails/images.ts";
import { addOrganization, invite } from "../../support/people.ts";
import type { ScenarioRequest } from "../../support/scenarios.ts";
import { buildUpload, type Service, uniqueName } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { orderActionsOf } from "./cabinet/order-actions.ts";

/** What the requests are about; all of it is the user's to change. */
interface Given {
  name: string;
  code: string;
  /** A workspace; for what is about people, an organization that the user owns, and its member. */
  owner: string;
  userId: string;
  /** A user who belongs to no organization. */
  newcomer: string;
  invitationId: string;
  /** Of an invitation for the user into another organization. */
  secret: string;
  drawer(): Promise<{ id: string }>;
  folder(): Promise<{ id: string }>;
  tag(): Promise<{ id: string }>;
  /** A thread of comments on the report. */
  thread(): Promise<{ id: string; commentId: string }>;
  /** Publishes another version of the report. */
  nextVersion(): Promise<void>;
  /** The code of a version with a thumbnail. */
  pictured(): Promise<string>;
  filter(): Promise<{ id: string }>;
  /** The id of an entry of the trash. */
  trashed(): Promise<string>;
  guestLink(): Promise<{ id: string }>;
  /** The id of a request for access to a report. */
  request(): Promise<string>;
  /** The id by which a deletion can be undone. */
  deletion(): Promise<string>;
}

const title = "A title";
const image = webpOf().toString("base64");

/** A request of each route that succeeds with the right token. */
export const requests: Readonly<Record<string, (given: Given) => ScenarioRequest | Promise<ScenarioRequest>>> = {
  upload: () => ({ body: buildUpload() }),
  samples: ({ owner }) => ({ query: { owner } }),
  addSamples: ({ owner }) => ({ body: { owner } }),
  removeSamples: ({ owner }) => ({ body: { owner } }),
  list: () => ({}),
  group: ({ name }) => ({ query: { name } }),
  item: ({ name }) => ({ query: { name } }),
  items: ({ owner, name }) => ({ query: { owner, name } }),
  largestItems: ({ owner }) => ({ query: { owner } }),
  itemVersions: ({ name }) => ({ query: { name } }),
  report: ({ code }) => ({ query: { code } }),
  downloadFile: ({ code }) => ({ query: { code, path: "index.html" } }),
  previews: ({ code }) => ({ query: { code } }),
  comments: ({ name }) => ({ query: { name } }),
  waitForComments: ({ name }) => ({ query: { name, since: "0", seconds: "0" } }),
  commentThread: async ({ thread }) => ({ query: { id: (await thread()).id } }),
  createThread: ({ name }) => ({ body: { name, text: title } }),
  reply: async ({ thread }) => ({ body: { id: (await thread()).id, text: title } }),
  editComment: async ({ thread }) => ({ body: { id: (await thread()).commentId, text: title } }),
  deleteComment: async ({ thread }) => ({ body: { id: (await thread()).commentId } }),
  resolveThread: async ({ thread }) => ({ body: { id: (await thread()).id } }),
  reopenThread: async ({ thread }) => ({ body: { id: (await thread()).id } }),
  readComments: ({ name }) => ({ body: { name } }),
  commentCounts: ({ name }) => ({ query: { name } }),
  mentionCandidates: ({ name }) => ({ query: { name } }),
  setCommentSettings: ({ name }) => ({ body: { name, enabled: false } }),
  changes: async ({ name, nextVersion }) => {
    await nextVersion();
    return { query: { name, from: "1", to: "2" } };
  },
  inbox: () => ({}),
  readInbox: () => ({ body: {} }),
  notificationSettings: () => ({}),
  setNotifications: () => ({ body: { mail: false } }),
  thumbnail: async ({ pictured }) => ({ query: { code: await pictured() } }),
  seen: ({ name }) => ({ query: { name } }),
  setSeenBy: ({ owner }) => ({ body: { owner, seen_by: "names" } }),
  setThumbnail: ({ code }) => ({ body: { code, image } }),
  rename: ({ name }) => ({ body: { name, newName: uniqueName() } }),
  setLatest: ({ name, code }) => ({ body: { name, code } }),
  setVisibility: ({ name }) => ({ body: { name, visibility: "public" } }),
  shareWithOrganization: ({ name }) => ({ body: { name, shared: true } }),
  guestLinks: ({ name }) => ({ query: { name } }),
  createGuestLink: ({ name }) => ({ body: { name, label: title, expires_at: "2999-12-31" } }),
  updateGuestLink: async ({ guestLink }) => ({ body: { ...(await guestLink()), expires_at: null } }),
  revokeGuestLink: async ({ guestLink }) => ({ body: await guestLink() }),
  shareWithPeople: ({ name }) => ({ body: { name, add: ["grace@example.org"] } }),
  shareItems: ({ name }) => ({ body: { items: [{ name, visibility: "public" }] } }),
  share: ({ name }) => ({ query: { name } }),
  shared: () => ({}),
  requestAccess: ({ name }) => ({ body: { name } }),
  accessRequests: () => ({}),
  acceptRequest: async ({ request }) => ({ body: { id: await request() } }),
  declineRequest: async ({ request }) => ({ body: { id: await request() } }),
  setStorage: ({ name }) => ({ body: { name, storage: "memory" } }),
  setTitle: ({ name }) => ({ body: { name, title } }),
  setFolder: ({ name }) => ({ body: { name, folder: "A" } }),
  deleteCode: ({ code }) => ({ body: { code } }),
  deleteGroup: ({ name }) => ({ body: { name } }),
  createOrganization: () => ({ body: { slug: uniqueName("org"), name: "N" } }),
  members: ({ owner }) => ({ query: { owner } }),
  addMember: ({ owner, newcomer }) => ({ body: { owner, user: newcomer } }),
  removeMember: ({ owner, userId }) => ({ body: { owner, userId } }),
  setRole: ({ owner, userId }) => ({ body: { owner, userId, role: "admin" } }),
  setDefaultVisibility: ({ owner }) => ({ body: { owner, visibility: "org" } }),
  invitations: ({ owner }) => ({ query: { owner } }),
  createInvitation: ({ owner }) => ({ body: { owner } }),
  revokeInvitation: ({ owner, invitationId }) => ({ body: { owner, id: invitationId } }),
  acceptInvitation: ({ secret }) => ({ body: { token: secret } }),
  search: ({ owner }) => ({ query: { owner } }),
  taxonomy: ({ owner }) => ({ query: { owner } }),
  createDrawer: ({ owner }) => ({ body: { owner, title } }),
  renameDrawer: async ({ drawer }) => ({ body: { ...(await drawer()), title } }),
  deleteDrawer: async ({ drawer }) => ({ body: await drawer() }),
  createFolder: ({ owner }) => ({ body: { owner, title } }),
  renameFolder: async ({ folder }) => ({ body: { ...(await folder()), title } }),
  moveFolder: async ({ folder }) => ({ body: { ...(await folder()), drawer_id: null } }),
  deleteFolder: async ({ folder }) => ({ body: await folder() }),
  createTag: ({ owner }) => ({ body: { owner, title } }),
  renameTag: async ({ tag }) => ({ body: { ...(await tag()), title } }),
  moveTag: async ({ tag }) => ({ body: { ...(await tag()), parent_id: null } }),
  deleteTag: async ({ tag }) => ({ body: await tag() }),
  fileItems: ({ name }) => ({ body: { items: [{ name }], folder_id: null } }),
  tagItems: ({ name }) => ({ body: { items: [{ name }], set: [] } }),
  deleteItems: ({ name }) => ({ body: { items: [{ name }] } }),
  trash: ({ owner }) => ({ query: { owner } }),
  restoreTrash: async ({ trashed }) => ({ body: { ids: [await trashed()] } }),
  purgeTrash: async ({ trashed }) => ({ body: { ids: [await trashed()] } }),
  protect: ({ name }) => ({ body: { name, protected: true } }),
  retention: ({ owner }) => ({ query: { owner } }),
  setRetention: ({ owner }) => ({ body: { owner, keep: 20 } }),
  restoreItems: async ({ deletion }) => ({ body: { undo: await deletion() } }),
  setDefaultFolder: ({ owner }) => ({ body: { owner, folder_id: null } }),
  shortcuts: ({ owner }) => ({ query: { owner } }),
  addShortcut: ({ owner, name }) => ({ body: { owner, kind: "group", ref: name } }),
  removeShortcut: ({ owner, name }) => ({ body: { owner, kind: "group", ref: name } }),
  savedFilters: ({ owner }) => ({ query: { owner } }),
  addFilter: ({ owner }) => ({ body: { owner, title, query: {} } }),
  renameFilter: async ({ filter }) => ({ body: { ...(await filter()), title } }),
  removeFilter: async ({ filter }) => ({ body: await filter() }),
  account: () => ({}),
  setDisplayName: ({ owner }) => ({ body: { owner, display_name: title } }),
};

const OF_PEOPLE = /^\/api\/(orgs?|settings\/set-default-visibility)(\/|$)/;

const none = async () => ({ id: "" });
const NOTHING: Given = {
  ...{ name: "", code: "", owner: "", userId: "", newcomer: "", invitationId: "", secret: "" },
  ...{
    drawer: none,
    folder: none,
    tag: none,
    filter: none,
    guestLink: none,
    deletion: async () => "",
    trashed: async () => "",
    request: async () => "",
    pictured: async () => "",
    thread: async () => ({ id: "", commentId: "" }),
    nextVersion: async () => {},
  },
};

interface RequestingUser {
  slug: string;
  email: string;
  token: string;
}

/** Returns a request of a route that succeeds for the user, and creates what it is about. */
export async function requestFor(service: Service, user: RequestingUser, route: Route): Promise<ScenarioRequest> {
  const given = await (OF_PEOPLE.test(route.path) ? aboutPeople(service, user) : aboutReports(service, user));
  return (await requests[route.id]?.({ ...NOTHING, ...given })) ?? {};
}

async function aboutReports(service: Service, user: RequestingUser) {
  const act = orderActionsOf(service);
  const name = uniqueName();
  const { code } = await act.publish(user.token, { name });
  const owner = user.slug;
  const drawer = async () => ({ id: (await act.createDrawer(user.token, owner)).id });
  const folder = async () => ({ id: (await act.createFolder(user.token, owner)).id });
  const tag = async () => ({ id: (await act.createTag(user.token, owner)).id });
  const filter = async () => {
    const { id } = await service.client(user.token).call(addFilterRoute, { body: { owner, title, query: {} } });
    return { id };
  };
  const guestLink = async () => {
    const { id } = await service.client(user.token).call(createGuestLinkRoute, { body: { name } });
    return { id };
  };
  const deletion = async () => {
    const other = uniqueName();
    await act.publish(user.token, { name: other });
    return (await act.deleteItems(user.token, [{ name: other }])).undo?.id ?? "";
  };
  const trashed = async () => {
    const other = uniqueName();
    await act.publish(user.token, { name: other });
    await act.deleteGroup(user.token, other);
    const { entries } = await service.client(user.token).call(trashRoute, { query: { owner, name: other } });
    return entries[0]?.id ?? "";
  };
  const pictured = async () => {
    await service.client(user.token).call(setThumbnailRoute, { body: { code, image } });
    return code;
  };
  const thread = async () => {
    const { id, comments } = await service.client(user.token).call(createThreadRoute, { body: { name, text: title } });
    return { id, commentId: comments[0]?.id ?? "" };
  };
  const nextVersion = async () => {
    await act.publish(user.token, { name });
  };
  const request = async () => {
    const { token } = await service.build.user();
    await service.client(token).call(requestAccessRoute, { body: { name } });
    const list = () => service.client(user.token).call(accessRequestsRoute);
    await until(async () => (await list()).requests.some((open) => open.name === name));
    return (await list()).requests.find((open) => open.name === name)?.id ?? "";
  };
  return {
    ...{ name, code, owner, drawer, folder, tag, filter, guestLink, deletion, trashed, pictured, request },
    ...{ thread, nextVersion },
  };
}

async function aboutPeople(service: Service, user: RequestingUser) {
  const [own, other] = [await addOrganization(service), await addOrganization(service)];
  const { slug: owner, member, join } = own;
  await join(user, "owner");
  const [ours, theirs] = [
    await invite(service, user.token, { owner }),
    await invite(service, other.owner.token, { owner: other.slug }),
  ];
  const { userId } = member;
  return { owner, userId, newcomer: own.stranger.slug, invitationId: ours.id, secret: theirs.secret };
}
