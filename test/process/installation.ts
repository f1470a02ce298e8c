import { createClient } from "../../src/client/client.ts";
import {
  accountRoute,
  addShortcutRoute,
  createDrawerRoute,
  createFolderRoute,
  createTagRoute,
  deleteCodeRoute,
  deleteGroupRoute,
  groupRoute,
  listRoute,
  membersRoute,
  reportRoute,
  searchRoute,
  setFolderRoute,
  shortcutsRoute,
  tagItemsRoute,
  taxonomyRoute,
  uploadRoute,
} from "../../src/client/routes.ts";
import { ALL_SCOPES, type Service } from "../support/service.ts";
import { asPage, pageClient, signIn } from "../support/sessions.ts";

/** A user whose view of an installation is compared before and after a move. */
export interface Onlooker {
  /** The workspace to look at. */
  owner: string;
  token: string;
}

export interface Installation {
  onlookers: readonly Onlooker[];
  /** A read-only token. */
  readingToken: string;
  revokedToken: string;
  cookie: string;
}

type Addresses = Pick<Service, "baseUrl" | "contentUrl">;

const AT_ONCE = 16;
const TITLES = ["Umsätze im März", "売上レポート", "It's “quoted”", "😀 Emoji", "ÇA VA ẞ", "Plain title"];
const WORDS = ["um", "ÄTZE", "売上", "re", "report-1", "nested", "ẞ", "42"];
const SORTS = ["updated", "-updated", "created", "title", "-title", "name"] as const;

/** Publishes this many versions in every possible way, and files, tags and deletes some of them. */
export async function fillInstallation(service: Service, uploads: number): Promise<Installation> {
  const { build } = service;
  const ada = await build.user({ slug: "ada" });
  const org = await build.organization({ roles: ["member"] });
  const [member = { slug: "", token: "" }] = org.members;
  const tokens = [ada.token, org.owner.token, member.token];
  const workspaces = [ada.slug, org.slug, org.slug];
  const tagIds = [await makeTags(service, ada), await makeTags(service, { slug: org.slug, token: org.owner.token })];
  await eachOf(
    Array.from({ length: uploads }, (_, number) => number),
    async (number) => {
      const holder = number % tokens.length;
      const client = service.client(tokens[holder]);
      const { code, name } = await client.call(uploadRoute, { body: uploadOf(number) });
      const item = name === undefined ? { code } : { name };
      if (number % 4 === 0)
        await client.call(setFolderRoute, { body: { ...item, folder: `Drawer/Folder ${number % 7}` } });
      const [tagId = ""] = (tagIds[holder === 0 ? 0 : 1] ?? []).slice(number % 3);
      if (number % 5 === 0) await client.call(tagItemsRoute, { body: { items: [item], add: [tagId] } });
      if (number % 31 === 30) await client.call(deleteCodeRoute, { body: { code } });
    },
  );
  const gone = await service.client(ada.token).call(uploadRoute, { body: { ...uploadOf(0), name: "gone" } });
  await service.client(ada.token).call(deleteGroupRoute, { body: { name: gone.name ?? "" } });
  await service
    .client(ada.token)
    .call(addShortcutRoute, { body: { owner: ada.slug, kind: "tag", ref: tagIds[0]?.[0] ?? "" } });
  const readingToken = await build.token({ userSlug: ada.slug, scopes: ["reports:read"] });
  const revoked = await build.tokens.create({ userSlug: ada.slug, scopes: ALL_SCOPES });
  await build.tokens.revoke(ada.slug, revoked.id);
  return {
    onlookers: tokens.map((token, holder) => ({ owner: workspaces[holder] ?? "", token })),
    readingToken,
    revokedToken: revoked.token,
    cookie: await signIn(service, ada),
  };
}

async function eachOf<Value>(values: readonly Value[], act: (value: Value) => Promise<void>): Promise<void> {
  const waiting = values.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const value of waiting) await act(value);
    }),
  );
}

/** Creates three tags, one below the other. */
async function makeTags(service: Service, { slug: owner, token }: { slug: string; token: string }): Promise<string[]> {
  const client = service.client(token);
  const drawer = await client.call(createDrawerRoute, { body: { owner, title: "Schublade" } });
  await client.call(createFolderRoute, { body: { owner, title: "Mappe", drawer_id: drawer.id } });
  const ids: string[] = [];
  for (const title of ["tag", "nested", "nested deeper"]) {
    ids.push((await client.call(createTagRoute, { body: { owner, title, parent_id: ids.at(-1) } })).id);
  }
  return ids;
}

/** Every third upload is a version of a shared report, and every other one has an asset. */
function uploadOf(number: number) {
  const title = `${TITLES[number % TITLES.length]} ${number}`;
  const index = {
    path: "index.html",
    content: `<!doctype html><title>${title}</title>${`<p>${number} `.repeat(number % 50)}`,
  };
  const bytes = Uint8Array.from({ length: (number * 37) % 3000 }, (_, offset) => (offset * number) % 256);
  const asset = { path: "data.bin", content: bytes.toBase64(), encoding: "base64" as const };
  return {
    files: number % 2 === 0 ? [index, asset] : [index],
    ...(number % 3 === 0 ? { name: `report-${number % 3}-${number % 12}-${Math.floor(number / 36)}` } : {}),
    ...(number % 4 === 1 ? { storage: "memory" as const } : {}),
    visibility: (["private", "public", "org"] as const)[number % 3 === 0 ? 0 : (number % 5) % 3] ?? "private",
  };
}

/** Returns everything visible of an installation, without the addresses of its server. */
export async function observe(service: Addresses, { onlookers, cookie, ...tokens }: Installation) {
  const workspaces: unknown[] = [];
  for (const onlooker of onlookers) workspaces.push(await observeAs(service, onlooker));
  const page = pageClient(service, cookie);
  const list = await page.call(listRoute);
  const opened: number[] = [];
  for (const { code } of list.standalone.slice(0, 20)) {
    const headers = asPage(service, cookie);
    opened.push((await fetch(`${service.baseUrl}/${code}/`, { headers, redirect: "manual" })).status);
  }
  const session = [await page.call(accountRoute), list, opened];
  const upload = (token: string) =>
    fetch(`${service.baseUrl}/api/upload`, { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  const refused = [(await upload(tokens.readingToken)).status, (await upload(tokens.revokedToken)).status];
  const bare = (value: unknown) =>
    JSON.stringify(value).replaceAll(service.baseUrl, "BASE").replaceAll(service.contentUrl, "CONTENT");
  return { workspaces: workspaces.map(bare), session: bare(session), refused };
}

async function observeAs(service: Addresses, { owner, token }: Onlooker) {
  const client = createClient({ baseUrl: service.baseUrl, token });
  const list = await client.call(listRoute);
  const groups: unknown[] = [];
  const codes = list.standalone.map(({ code }) => code);
  await eachOf(list.groups, async ({ name }) => {
    const group = await client.call(groupRoute, { query: { name } });
    groups.push(group);
    codes.push(...group.versions.map(({ code }) => code));
  });
  const files: string[] = [];
  await eachOf(codes, async (code) => void files.push(...(await observeFiles(service, token, code))));
  const found: unknown[] = [];
  for (const q of WORDS) found.push(await client.call(searchRoute, { query: { owner, q, limit: 200 } }));
  for (const sort of SORTS) found.push(await client.call(searchRoute, { query: { owner, sort, limit: 200 } }));
  return {
    list,
    groups: groups.map((group) => JSON.stringify(group)).toSorted(),
    files: files.toSorted(),
    found,
    taxonomy: await client.call(taxonomyRoute, { query: { owner } }),
    shortcuts: await client.call(shortcutsRoute, { query: { owner } }),
    members: owner === "ada" ? [] : await client.call(membersRoute, { query: { owner } }),
  };
}

/** Returns a line per file, as served with a token, without one, and to a browser. */
async function observeFiles({ baseUrl, contentUrl }: Addresses, token: string, code: string): Promise<string[]> {
  const { files } = await createClient({ baseUrl, token }).call(reportRoute, { query: { code } });
  const lines: string[] = [];
  for (const { path } of files) {
    const address = `${contentUrl}/${code}/${path === "index.html" ? "" : path}`;
    const read = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
    const digest = new Bun.SHA256().update(await read.bytes()).digest("hex");
    const openly = await fetch(address);
    const openDigest = new Bun.SHA256().update(await openly.bytes()).digest("hex");
    const isSame = openly.status !== 200 || openDigest === digest;
    const shown = await fetch(address, { headers: { "Sec-Fetch-Dest": "document" } });
    // "Not found" and sign-in pages contain this server's addresses.
    const isFile = shown.ok && !shown.redirected;
    const shownDigest = isFile ? new Bun.SHA256().update(await shown.bytes()).digest("hex") : shown.status;
    const line = [
      code,
      path,
      read.status,
      digest,
      read.headers.get("content-type"),
      openly.status,
      isSame,
      shownDigest,
    ];
    lines.push(line.join(" "));
  }
  return lines;
}
