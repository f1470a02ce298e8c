import { z } from "zod";
import { type Addresses, type Facts, type Read, read } from "../test/store/engine/upgrade-fixture.ts";
import { cookiesOf } from "../test/support/sessions.ts";

const PASSWORD = "correct horse battery staple";
const SCOPES = "reports:read,reports:write,reports:delete";

type Command = (...args: readonly string[]) => Promise<string>;

const created = z.looseObject({ id: z.string() });
const published = z.looseObject({ code: z.string() });

/** Puts something of every kind into a new installation. */
export async function fill(addresses: Addresses, command: Command): Promise<Facts> {
  const { baseUrl } = addresses;
  for (const [slug, plan] of [
    ["ada", "pro"],
    ["ben", "pro"],
    ["cleo", "free"],
  ] as const) {
    const email = `${slug}@example.org`;
    await command(
      "users",
      "create",
      "--email",
      email,
      "--slug",
      slug,
      "--name",
      `${slug} Ångström`,
      "--plan",
      plan,
      "--password",
      PASSWORD,
    );
  }
  await command("orgs", "create", "--slug", "acme", "--name", "Acme Ünlimited", "--owner", "ada");
  await command("orgs", "add-member", "--org", "acme", "--user", "ben");
  const token = (user: string, workspace: string, name: string) =>
    command("tokens", "create", "--user", user, "--workspace", workspace, "--scopes", SCOPES, "--name", name);
  const tokens = {
    ada: await token("ada", "ada", "Notebook"),
    acme: await token("ada", "acme", "Build server"),
    ben: await token("ben", "acme", "Ben's build"),
    cleo: await token("cleo", "cleo", "Free"),
  };
  const revokedToken = await token("ada", "ada", "Revoked");

  async function send(path: string, body: object, headers: Record<string, string>): Promise<unknown> {
    const response = await fetch(baseUrl + path, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path} failed: ${response.status} ${await response.text()}`);
    return response.json();
  }
  const bearer = (who: keyof typeof tokens) => ({ Authorization: `Bearer ${tokens[who]}` });
  const as = (who: keyof typeof tokens) => (path: string, body: object) => send(path, body, bearer(who));
  const publish = async (
    who: keyof typeof tokens,
    text: string,
    body: object = {},
    headers: Record<string, string> = {},
  ) => {
    const page = `<!doctype html><title>${text}</title><link rel="stylesheet" href="style.css"><p>${text}`;
    const files = [
      { path: "index.html", content: page },
      { path: "style.css", content: `p::after { content: "${text}" }` },
    ];
    const upload = who === "cleo" ? { files: files.slice(0, 1) } : { files };
    return published.parse(await send("/api/upload", { ...upload, ...body }, { ...bearer(who), ...headers })).code;
  };
  const create = async (path: string, body: object) => created.parse(await as("ada")(path, body)).id;

  const signedIn = await fetch(`${baseUrl}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { Origin: baseUrl, "Content-Type": "application/json" },
    body: JSON.stringify({ email: "ada@example.org", password: PASSWORD }),
  });
  const cookie = cookiesOf(signedIn);
  const page = { Cookie: cookie, Origin: baseUrl };
  const listed = z.looseObject({ tokens: z.array(z.looseObject({ id: z.string(), name: z.string() })) });
  const ownTokens = listed.parse(await (await fetch(`${baseUrl}/api/tokens`, { headers: page })).json());
  await send("/api/tokens/revoke", { id: ownTokens.tokens.find(({ name }) => name === "Revoked")?.id }, page);

  const drawer = await create("/api/drawers/create", { owner: "ada", title: "Finance 財務" });
  const folder = await create("/api/folders/create", { owner: "ada", title: "Quarterly", drawer_id: drawer });
  const inbox = await create("/api/folders/create", { owner: "ada", title: "Inbox" });
  const top = await create("/api/tags/create", { owner: "ada", title: "Region" });
  const middle = await create("/api/tags/create", { owner: "ada", title: "Europe", parent_id: top });
  const leaf = await create("/api/tags/create", { owner: "ada", title: "Österreich", parent_id: middle });

  const sales: string[] = [];
  for (const number of [1, 2, 3, 4]) {
    sales.push(await publish("ada", `Sales ${number}`, { name: "weekly-sales", visibility: "public" }));
  }
  await as("ada")("/api/delete-code", { code: sales[1] });
  await as("ada")("/api/setlatest", { name: "weekly-sales", code: sales[0] });
  await publish(
    "ada",
    "売上レポート „März“",
    { name: "plan-2026", folder: "Planning/Drafts" },
    { "Idempotency-Key": "a-key" },
  );
  await publish("ada", "Kept in memory", { name: "board", storage: "memory", visibility: "public" });
  await as("ada")("/api/settings/set-default-folder", { owner: "ada", folder_id: inbox });
  const alone = await publish("ada", "Alone and public", { visibility: "public" });
  const secret = await publish("ada", "Alone and private", { title: "A separate title" });
  await as("ada")("/api/set-folder", { code: secret, folder: "Legacy label" });
  await as("ada")("/api/items/set-folder", { items: [{ name: "weekly-sales" }], folder_id: folder });
  await as("ada")("/api/items/tags", { items: [{ name: "weekly-sales" }, { code: alone }], add: [leaf, top] });
  await as("ada")("/api/shortcuts/add", { owner: "ada", kind: "group", ref: "weekly-sales" });
  await as("ada")("/api/shortcuts/add", { owner: "ada", kind: "tag", ref: leaf });
  await publish("acme", "For everyone in Acme", { name: "acme-handbook", visibility: "org" });
  await publish("acme", "For the owners", { name: "acme-salaries" });
  await publish("ben", "By Ben", { name: "acme-bens" });
  await publish("cleo", "On the free plan", { name: "cleos-only", visibility: "public" });
  const gone = await publish("ada", "Deleted permanently", { visibility: "public" });
  await as("ada")("/api/delete-code", { code: gone });
  await publish("ada", "Deleted by mistake", { name: "undone" });
  const undo = z
    .looseObject({ undo: z.looseObject({ id: z.string() }) })
    .parse(await send("/api/items/delete", { items: [{ name: "undone" }] }, page));
  const invitation = z
    .looseObject({ url: z.string() })
    .parse(await send("/api/org/invitations/create", { owner: "acme", role: "member" }, page));
  return {
    password: PASSWORD,
    tokens,
    revokedToken,
    cookie,
    invitation: new URL(invitation.url).searchParams.get("token") ?? "",
    undo: undo.undo.id,
    undoneName: "undone",
  };
}

const QUERIES = [
  "q=sales",
  "q=%E5%A3%B2%E4%B8%8A",
  "q=m%C3%A4rz",
  "q=osterreich",
  "q=quarterly",
  "sort=title",
  "visibility=public",
];
const lists = z.looseObject({
  groups: z.array(z.looseObject({ name: z.string() })),
  standalone: z.array(z.looseObject({ code: z.string() })),
});
const versions = z.looseObject({ versions: z.array(z.looseObject({ code: z.string() })) });
const files = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) });
const taxonomy = z.looseObject({ tags: z.array(z.looseObject({ id: z.string(), parent_id: z.string().nullable() })) });

/** Returns reads of everything in the installation, with the answers of its server. */
export async function findReads(addresses: Addresses, facts: Facts): Promise<Read[]> {
  const found: Read[] = [];
  for (const as of Object.keys(facts.tokens)) {
    const get: Get = async (path, { isAnonymous = false, host = "app" } = {}) => {
      const answer = await read(addresses, facts, { host, path, as: isAnonymous ? null : as });
      found.push(answer);
      return answer.body;
    };
    const owner = as === "ben" ? "acme" : as;
    await readWorkspace(get, owner);
    await readReports(get, owner);
  }
  return found;
}

/** Reads a path with the token of one user, or anonymously. */
type Get = (path: string, options?: { isAnonymous?: boolean; host?: Read["host"] }) => Promise<unknown>;

const ANONYMOUS = { isAnonymous: true } as const;
const ON_CONTENT = { isAnonymous: true, host: "content" } as const;

async function readWorkspace(get: Get, owner: string): Promise<void> {
  const { tags } = taxonomy.parse(await get(`/api/taxonomy?owner=${owner}`));
  const top = tags.find(({ parent_id }) => parent_id === null);
  const inTree = top === undefined ? [] : [`tag_scope=subtree&tag_id=${top.id}`];
  for (const query of [...QUERIES, ...inTree]) await get(`/api/search?owner=${owner}&${query}`);
  for (const path of ["account", `shortcuts?owner=${owner}`, `org/members?owner=${owner}`]) await get(`/api/${path}`);
}

async function readReports(get: Get, owner: string): Promise<void> {
  const { groups, standalone } = lists.parse(await get("/api/list"));
  const codes = standalone.map(({ code }) => code);
  for (const { name } of groups) {
    await get(`/api/group?name=${name}`);
    await get(`/@${owner}/${name}/`, ON_CONTENT);
    const all = versions.parse(await get(`/api/item/versions?name=${name}`)).versions;
    codes.push(...all.map(({ code }) => code));
  }
  for (const code of codes) {
    for (const { path } of files.parse(await get(`/api/report?code=${code}`)).files) {
      await get(`/api/report/file?code=${code}&path=${path}`);
      await get(`/${code}/${path}`, ON_CONTENT);
    }
    await get(`/${code}/`, ANONYMOUS);
  }
}
