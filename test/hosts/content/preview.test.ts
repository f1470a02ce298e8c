import { beforeAll, describe, expect, test } from "bun:test";
import { publishFiles, read } from "../../support/content.ts";
import { publishReport, uniqueName, useService } from "../../support/service.ts";

const SANDBOX =
  "sandbox allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";

describe("the preview page", () => {
  const service = useService();

  test("has the rights of a published page, and can only be framed by the portal", async () => {
    const { status, headers, body } = await read(service, "/~preview/", { Cookie: "a=b" });
    expect(status).toBe(200);
    expect(headers.get("content-security-policy")).toBe(
      `${SANDBOX}; base-uri 'self'; form-action 'none'; frame-ancestors ${service.baseUrl}`,
    );
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("permissions-policy")).toContain("camera=()");
    expect(headers.get("set-cookie")).toBeNull();
    expect(body.toString()).toContain(`data-portal="${service.baseUrl}"`);
  });

  test.each(["/~preview", "/~preview/index.html", "/~preview/chart.png"])(
    "is at no other address (%s)",
    async (path) => {
      expect((await read(service, path)).status).toBe(404);
    },
  );
});

describe("embedded reports", () => {
  const service = useService();
  let token: string;
  let slug: string;
  beforeAll(async () => {
    ({ token, slug } = await service.build.user());
  });

  test("can be framed by any page, with the same rights and bytes", async () => {
    const code = await publishFiles(service, token, { "a.css": "p{}" });
    const [usual, embedded] = await Promise.all([read(service, `/${code}/`), read(service, `/~embed/${code}/`)]);
    expect(embedded.status).toBe(200);
    expect(embedded.body).toEqual(usual.body);
    expect(embedded.headers.get("content-security-policy")).toBe(
      `${SANDBOX}; base-uri 'self'; form-action 'none'; frame-ancestors *`,
    );
    expect(embedded.headers.get("x-frame-options")).toBeNull();
    expect(usual.headers.get("content-security-policy")).toEndWith(
      `frame-ancestors ${service.baseUrl} ${service.contentUrl}`,
    );
    const style = await read(service, `/~embed/${code}/a.css`);
    expect([style.status, style.headers.get("content-security-policy")]).toEqual([200, SANDBOX]);
    expect((await read(service, `/~embed/${code}/none`)).status).toBe(404);
    expect((await read(service, `/~embed/${code}`)).status).toBe(404);
  });

  test("lead from the live link to the version that is current", async () => {
    const name = uniqueName();
    const client = service.client(token);
    await publishReport(client, { name, visibility: "public" });
    const { code } = await publishReport(client, { name });
    const { status, headers } = await read(service, `/@${slug}/${name}/~embed`);
    expect([status, headers.get("location"), headers.get("cache-control")]).toEqual([
      302,
      `/~embed/${code}/`,
      "no-store",
    ]);
    expect(headers.get("content-security-policy")).not.toContain("frame-ancestors");
    expect(headers.get("x-frame-options")).toBeNull();
  });

  test.each(["private", "org"] as const)("are never %s ones, for any reader", async (visibility) => {
    const name = uniqueName();
    const { code } = await publishReport(service.client(token), { name, visibility });
    const unknown = await read(service, "/~embed/7Kd0aQ2mXw9LbT4e/");
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      const got = await read(service, `/~embed/${code}/`, headers);
      expect([got.status, got.body]).toEqual([404, unknown.body]);
      expect((await read(service, `/@${slug}/${name}/~embed`, headers)).status).toBe(404);
    }
    const onApp = await fetch(`${service.baseUrl}/${name}/~embed`, { headers: { Authorization: `Bearer ${token}` } });
    expect(onApp.status).toBe(401);
  });
});
