import { createClient } from "../../../src/client/client.ts";
import {
  addSamplesRoute,
  type BodyInput,
  createInvitationRoute,
  createThreadRoute,
  requestAccessRoute,
  shareWithPeopleRoute,
  uploadRoute,
} from "../../../src/client/routes.ts";
import { vitrine } from "../../demo.ts";
import { PASSWORD, type Scene } from "../server.ts";
import { plainPage } from "./reports.ts";

const ORGANIZATIONS = [
  ["team", "Team", "pro"],
  ["shop", "Shop analytics", "pro"],
  ["samples", "Samples", "pro"],
  ["archive", "Archive", "free"],
] as const;

const COLLEAGUES = [
  ["grace", "Grace Miller"],
  ["linus", "Linus Okafor"],
] as const;

const ANCHOR: BodyInput<typeof createThreadRoute>["anchor"] = {
  kind: "text",
  path: "index.html",
  quote: "Products this week",
  prefix: "",
  suffix: "",
  start: 0,
  end: 0,
  headings: [],
};

/** Founds organizations, among them one without reports and one without room, and lets colleagues share, comment and ask. */
export async function fillPeople({ url, environment, paths }: Scene): Promise<void> {
  for (const [slug, name, plan] of ORGANIZATIONS) {
    await vitrine(["orgs", "create", "--slug", slug, "--name", name, "--owner", "ada", "--plan", plan], environment);
  }
  await vitrine(["users", "grant-operator", "ada"], environment);
  for (const [slug, name] of COLLEAGUES) {
    const user = ["--slug", slug, "--name", name, "--password", PASSWORD];
    await vitrine(["users", "create", "--email", `${slug}@example.org`, ...user], environment);
    await vitrine(["orgs", "add-member", "--org", "shop", "--user", slug], environment);
  }
  const clientOf = async (user: string, workspace = user) => {
    const scopes = "reports:read,reports:write";
    const options = ["--user", user, "--workspace", workspace, "--scopes", scopes, "--name", `For ${workspace}`];
    return createClient({ baseUrl: url, token: await vitrine(["tokens", "create", ...options], environment) });
  };
  const [grace, graceOfShop, linus, ada, adaOfShop, adaOfArchive, adaOfSamples] = await Promise.all([
    clientOf("grace"),
    clientOf("grace", "shop"),
    clientOf("linus"),
    createClient({ baseUrl: url, token: environment.VITRINE_TOKEN }),
    clientOf("ada", "shop"),
    clientOf("ada", "archive"),
    clientOf("ada", "samples"),
  ]);

  for (const [client, name, title] of [
    [graceOfShop, "returns", "Returns by reason and size"],
    [adaOfShop, "basket", "What is bought together"],
    [graceOfShop, "delivery", "Delivery promise against delivery"],
  ] as const) {
    const body = { name: `shop-${name}`, title, visibility: "org", files: plainPage(title) } as const;
    await client.call(uploadRoute, { body });
  }
  const { url: invitation } = await adaOfShop.call(createInvitationRoute, { body: { owner: "shop" } });
  paths.set("invitation", new URL(invitation).pathname + new URL(invitation).search);
  await adaOfSamples.call(addSamplesRoute, { body: { owner: "samples" } });
  const large = [{ path: "index.html", content: `<!doctype html><title>All orders</title>${"x".repeat(960_000)}` }];
  await adaOfArchive.call(uploadRoute, { body: { name: "archive-orders", files: large } });

  const name = "ada-weekly-sales";
  await ada.call(shareWithPeopleRoute, { body: { name, add: ["grace@example.org"] } });
  const text = "@ada Are returns of week 44 in these figures? They came *two days late*.";
  await grace.call(createThreadRoute, { body: { name, text, anchor: ANCHOR } });
  await grace.call(createThreadRoute, {
    body: { name, text: "Good to have this on one page.", anchor: { kind: "report" } },
  });
  const title = "Interviews about the checkout";
  await grace.call(uploadRoute, { body: { name: "grace-interviews", title, files: plainPage(title) } });
  await grace.call(shareWithPeopleRoute, { body: { name: "grace-interviews", add: ["ada@example.org"] } });
  const message = "I prepare Monday's meeting and would like to show the model.";
  await linus.call(requestAccessRoute, { body: { name: "ada-churn-model", message } });
}
