import { describe, expect, test } from "bun:test";
import { invalid } from "../../../src/domain/model/failure.ts";
import { createClients, isDocumentId } from "../../../src/domain/oauth/clients.ts";
import { isAllowedRedirect, matchesRedirect } from "../../../src/domain/oauth/redirects.ts";

const ID = "https://claude.example/oauth/client.json";
const DOCUMENT = { client_id: ID, client_name: "Claude", redirect_uris: ["https://claude.example/callback"] };

describe("a program that is identified by a document", () => {
  let now = 1_000_000;
  const clientsWith = (fetchClientDocument: () => Promise<unknown>) => {
    const store = { oauth: { findClient: async () => undefined, addClient: async () => undefined } };
    return createClients({
      store,
      fetchClientDocument,
      clock: { now: () => now },
      random: { bytes: () => new Uint8Array(16) },
    });
  };

  test("has the name and addresses that the document says, for five minutes", async () => {
    let fetched = 0;
    const clients = clientsWith(async () => ({ ...DOCUMENT, client_name: `Claude ${++fetched}` }));
    const find = async () => (await clients.find(ID)).name;
    expect([await find(), await find()]).toEqual(["Claude 1", "Claude 1"]);
    now += 5 * 60_000;
    expect(await find()).toBe("Claude 2");
    expect((await clients.find(ID)).redirectUris).toEqual(["https://claude.example/callback"]);
  });

  test.each<[string, unknown]>([
    ["another ID", { ...DOCUMENT, client_id: "https://evil.example/client.json" }],
    ["no addresses", { ...DOCUMENT, redirect_uris: [] }],
    ["an address that runs code", { ...DOCUMENT, redirect_uris: ["javascript:alert(1)"] }],
    ["no object", "text"],
    ["nothing", null],
  ])("is unknown if the document has %s", async (_, document) => {
    await expect(clientsWith(async () => document).find(ID)).rejects.toMatchObject({ code: "invalid_client" });
  });

  test("is unknown if the document can't be read", async () => {
    const clients = clientsWith(() => Promise.reject(invalid("It can't be read.")));
    await expect(clients.find(ID)).rejects.toMatchObject({ code: "invalid_client", message: "It can't be read." });
  });

  test.each([
    "http://claude.example/client.json",
    "https://claude.example/",
    "https://claude.example",
    "https://user@claude.example/client.json",
    "https://claude.example/client.json#a",
    "https://claude.example/a/../client.json",
    "https://CLAUDE.example/client.json",
    "app_1",
  ])("can't have the ID %s", (id) => {
    expect(isDocumentId(id)).toBe(false);
  });
});

test.each([
  ["https://a.example/callback", true],
  ["http://127.0.0.1/callback", true],
  ["http://[::1]:3000/", true],
  ["http://localhost/callback", true],
  ["cursor://anysphere.cursor-mcp/oauth", true],
  ["com.example.app:/callback", true],
  ["http://a.example/callback", false],
  ["http://127.0.0.1.evil.example/", false],
  ["JavaScript:alert(1)", false],
  ["java\tscript:alert(1)", false],
  ["data:text/html,x", false],
  ["https://a.example/#x", false],
  ["https://a:b@a.example/", false],
  ["/callback", false],
  ["", false],
])("a program may receive codes at %s: %p", (uri, isAllowed) => {
  expect(isAllowedRedirect(uri)).toBe(isAllowed);
});

test.each([
  ["https://a.example/cb", "https://a.example/cb", true],
  ["https://a.example/cb", "https://a.example/cb/", false],
  ["https://a.example/cb", "https://a.example:8443/cb", false],
  ["https://a.example/cb", "https://a.example/cb?x=1", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:50000/cb", true],
  ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true],
  ["http://localhost:1/cb", "http://localhost/cb", true],
  ["http://127.0.0.1/cb", "http://localhost:5/cb", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:5/other", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:5@evil.example/cb", false],
  ["http://127.0.0.1/cb", "http://127.0.0.1:5/a/../cb", false],
])("%s allows %s: %p", (registered, requested, matches) => {
  expect(matchesRedirect(registered, requested)).toBe(matches);
});
