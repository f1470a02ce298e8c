import { describe, expect, test } from "bun:test";
import { createClientDocuments, isPublicAddress } from "../../../../src/hosts/app/oauth/client-document.ts";
import { startAppSite } from "./app-site.ts";

test.each([
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.31.0.1", false],
  ["192.168.1.1", false],
  ["169.254.169.254", false],
  ["100.64.0.1", false],
  ["0.0.0.0", false],
  ["224.0.0.1", false],
  ["255.255.255.255", false],
  ["::1", false],
  ["::", false],
  ["fc00::1", false],
  ["fe80::1", false],
  ["::ffff:10.0.0.1", false],
  ["64:ff9b::a00:1", false],
  ["2002:a00:1::", false],
  ["2001:db8::1", false],
  ["ff02::1", false],
  ["not an address", false],
  ["1.1.1.1", true],
  ["172.32.0.1", true],
  ["2606:4700::1111", true],
])("%s is public: %p", (address, isPublic) => {
  expect(isPublicAddress(address)).toBe(isPublic);
});

describe("the fetcher of apps' descriptions", () => {
  const loopback = async () => [{ address: "127.0.0.1", family: 4 }];

  test("reads a document at a public address, under its own name", async () => {
    await using site = await startAppSite((request) => Response.json({ host: request.headers.get("host") }));
    const fetchDocument = createClientDocuments({ resolve: loopback, mayReach: () => true, ca: site.ca });
    const url = site.url("/app.json");
    expect(await fetchDocument(url)).toEqual({ host: url.host });
  });

  test("never connects to an address of this network, by name or number", async () => {
    const seen: string[] = [];
    await using site = await startAppSite((request) => {
      seen.push(request.url);
      return Response.json({});
    });
    const { port } = site.url("/");
    const mixed = async () => [{ address: "1.1.1.1", family: 4 }, ...(await loopback())];
    for (const [resolve, url] of [
      [loopback, site.url("/app.json")],
      [mixed, site.url("/app.json")],
      [loopback, new URL(`https://127.0.0.1:${port}/app.json`)],
      [loopback, new URL(`https://[::ffff:127.0.0.1]:${port}/app.json`)],
      [loopback, new URL(`https://0x7f000001:${port}/app.json`)],
    ] as const)
      await expect(createClientDocuments({ resolve, ca: site.ca })(url)).rejects.toThrow("can't be read");
    expect(seen).toEqual([]);
  });

  test.each([
    ["a redirect", () => Response.redirect("https://app.example/other")],
    ["an error", () => new Response("no", { status: 500 })],
    ["something else than JSON", () => new Response("<p>")],
    ["too much", () => Response.json({ a: "a".repeat(20_000) })],
  ])("refuses %s", async (_, answer) => {
    await using site = await startAppSite(answer);
    const fetchDocument = createClientDocuments({ resolve: loopback, mayReach: () => true, ca: site.ca });
    await expect(fetchDocument(site.url("/app.json"))).rejects.toThrow("can't be read");
  });

  test("refuses a certificate for another name", async () => {
    await using site = await startAppSite(() => Response.json({}));
    const fetchDocument = createClientDocuments({ resolve: loopback, mayReach: () => true, ca: site.ca });
    await expect(fetchDocument(new URL(`https://other.example:${site.url("/").port}/a`))).rejects.toThrow(
      "can't be read",
    );
  });
});
