import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../support/chromium.ts";
import { describeIf } from "../support/skip.ts";
import { createPeopleScene, fillSignIn } from "./portal/people-scene.ts";
import { serveWebAgent } from "./web-agent.ts";

describeIf("an agent in a page of another site", chromiumUnavailable(), () => {
  const scene = createPeopleScene();

  test("finds the server, registers, is allowed to connect, and calls tools", async () => {
    await using agent = await serveWebAgent();
    const { service, visitUnknown } = scene;
    const user = await service.build.user();
    const page = await visitUnknown(`${agent.url}?server=${encodeURIComponent(`${service.baseUrl}/mcp`)}`);
    await fillSignIn(page, user.email);
    await page.getByRole("heading", { name: "Connect Web agent to Vitrine?" }).waitFor();
    const sent: Promise<string>[] = [];
    page.on("request", (request) => {
      const { pathname, origin } = new URL(request.url());
      if (origin !== service.baseUrl || request.resourceType() !== "fetch" || !page.url().startsWith(agent.url)) return;
      sent.push(
        request.allHeaders().then(({ cookie }) => `${request.method()} ${pathname} ${cookie ?? "without cookies"}`),
      );
    });
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`The user is ${user.slug}.`).waitFor();
    // The browser is signed in, and the agent is on another origin of the same site.
    const requests = ["GET /.well-known/oauth-protected-resource/mcp", "POST /-/oauth/token", "POST /mcp"];
    expect(await Promise.all(sent)).toEqual(
      expect.arrayContaining(requests.map((request) => `${request} without cookies`)),
    );
    expect((await Promise.all(sent)).filter((request) => !request.endsWith("without cookies"))).toEqual([]);
  });
});
