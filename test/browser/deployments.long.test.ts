import { beforeAll, expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { bearer } from "../support/content.ts";
import { failureSchema } from "../support/scenarios.ts";
import { buildUpload, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import {
  type Deployment,
  describeEachDeployment,
  EVERYWHERE,
  launchNamingChromium,
  signedInContext,
} from "./deployments.ts";

const MEGABYTE = 1024 ** 2;

describeIf("the service", chromiumUnavailable(), () => {
  const browser = use(launchNamingChromium);

  describeEachDeployment((start) => {
    const deployment = use(start);
    const act = actionsOf(deployment);
    let owner: { slug: string; email: string; token: string };

    beforeAll(async () => {
      owner = await deployment.build.user();
    });

    test("sets the strictest session cookie that its address allows", async () => {
      const context = await signedInContext(browser, deployment, owner.email);
      const { hostname, protocol } = new URL(deployment.baseUrl);
      const isSecure = protocol === "https:";
      expect(await context.cookies()).toEqual([
        expect.objectContaining({
          name: isSecure ? "__Host-vitrine_session" : "vitrine_session",
          // With a leading dot, it would be sent to other hosts as well.
          domain: hostname,
          path: "/",
          httpOnly: true,
          secure: isSecure,
          sameSite: "Lax",
        }),
      ]);
      await context.close();
    });

    test("notifies a live link of a new version over its socket", async () => {
      const name = uniqueName();
      const { nameUrl = "" } = await act.publish(owner.token, { name, visibility: "public" });
      const context = await browser.newContext();
      const page = await context.newPage();
      const opening = page.waitForEvent("websocket");
      await page.goto(nameUrl);
      const socket = await opening;
      const heard = Promise.withResolvers<unknown>();
      socket.on("framereceived", ({ payload }) => {
        const message: { type: string } = JSON.parse(String(payload));
        if (message.type === "version") heard.resolve(message);
      });
      await page.getByRole("button", { name: "Version 1" }).waitFor();
      const { code } = await act.publish(owner.token, { name });
      expect(await heard.promise).toMatchObject({ type: "version", code, version_no: 2 });
      await page.getByRole("button", { name: "Version 2", exact: true }).waitFor();
      await context.close();
    });

    test("accepts uploads of nearly 20 MB", async () => {
      expect((await upload(deployment, owner.token, 19)).status).toBe(200);
    });
  }, EVERYWHERE);

  describeEachDeployment(
    (start) => {
      test("explains why it refuses uploads above 20 MB", async () => {
        await using deployment = await start();
        const { token } = await deployment.build.user();
        const refused = await upload(deployment, token, 21);
        expect(refused.status).toBe(413);
        failureSchema.parse(await refused.json());
      });
    },
    ["local", "nginx"],
  );
});

function upload(deployment: Deployment, token: string, megabytes: number): Promise<Response> {
  const parts = Array.from({ length: 3 }, (_, number) => ({
    path: `part-${number}.txt`,
    content: "x".repeat((megabytes / 3) * MEGABYTE),
  }));
  return deployment.fetch(`${deployment.baseUrl}/api/upload`, {
    method: "POST",
    headers: { ...bearer(token), "Content-Type": "application/json" },
    body: JSON.stringify(buildUpload({ files: [...buildUpload().files, ...parts] })),
  });
}
