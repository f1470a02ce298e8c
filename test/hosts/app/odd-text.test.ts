import { beforeAll, expect, test } from "bun:test";
import { describeOneEngine } from "../../support/engines.ts";
import { failureSchema } from "../../support/scenarios.ts";
import { buildUpload, PASSWORD, type Service, uniqueName, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { actionsOf } from "./actions.ts";

const ODD: readonly [name: string, text: string][] = [
  ["NUL", "a\0b"],
  ["a lone surrogate", "a\ud800b"],
];

/** Browser requests that accept text, by path. Those in the contract are in properties.test.ts. */
const AUTH_BODIES: readonly [path: string, build: (odd: string) => object][] = [
  ["/api/auth/sign-in/email", (odd) => ({ email: `${odd}@example.org`, password: PASSWORD })],
  ["/api/auth/sign-in/email", (odd) => ({ email: "nobody@example.org", password: odd })],
  ["/api/auth/sign-up", (odd) => ({ ...account(), email: `${odd}@example.org` })],
  ["/api/auth/sign-up", (odd) => ({ ...account(), slug: odd })],
  ["/api/auth/sign-up", (odd) => ({ ...account(), name: odd })],
  ["/api/auth/set-up", (odd) => ({ ...account(), token: odd })],
  ["/api/auth/accept-invitation", (odd) => ({ ...account(), token: odd })],
  ["/api/auth/change-password", (odd) => ({ currentPassword: odd, newPassword: PASSWORD })],
];

const account = () => {
  const slug = uniqueName("odd");
  return { email: `${slug}@example.org`, slug, password: PASSWORD };
};

describeOneEngine("text that databases can't store", (engine) => {
  const service = useService({ engine, environment: { VITRINE_SIGN_UP: "open" } });
  const act = actionsOf(service);
  let user: Awaited<ReturnType<Service["build"]["user"]>>;

  beforeAll(async () => {
    user = await service.build.user();
  });

  test.each(ODD)("%s in a document shows as U+FFFD in its title and warnings", async (_, odd) => {
    const reference = Array.from(odd, (letter) => `&#${letter.codePointAt(0)};`).join("");
    const scripts = `<script>import("${odd.replace("\0", "\\0").replace("\ud800", "\\ud800")}.js")</script>`;
    const content = `<title>a${reference}b</title><img src="/${reference}">${scripts}`;
    const name = uniqueName();
    const { warnings } = await act.publish(user.token, {
      name,
      ...buildUpload({ files: [{ path: "index.html", content }] }),
    });
    const { versions } = await act.group(user.token, name);
    for (const text of [versions[0]?.title ?? "", ...warnings]) expect(text).toMatch(/^[^\0\p{Surrogate}]+$/u);
    expect(warnings.join()).toContain("\ufffd");
  });

  test.each(ODD.flatMap(([name, odd]) => AUTH_BODIES.map(([path, build]) => [name, path, build(odd)] as const)))(
    "%s in a body of %s is refused: %j",
    async (_, path, body) => {
      const cookie = path.endsWith("change-password") ? await signIn(service, user) : "";
      const response = await post(service, path, body, cookie === "" ? {} : { Cookie: cookie });
      const answer = failureSchema.parse(await response.json());
      expect([400, 401], `${response.status} ${JSON.stringify(answer)}`).toContain(response.status);
    },
  );

  test.each(["%00", "a%00b", "%ED%A0%80", "%uD800"])("%s in an address finds nothing", async (odd) => {
    for (const { url, found } of [
      { url: `${service.baseUrl}/${odd}/`, found: [400, 401, 404] },
      { url: `${service.baseUrl}/-/set-up?token=${odd}`, found: [200, 404] },
      { url: `${service.baseUrl}/-/invitation?token=${odd}`, found: [200, 404] },
      { url: `${service.contentUrl}/${odd}/`, found: [400, 404] },
      { url: `${service.contentUrl}/@${odd}/${odd}/`, found: [400, 404] },
      { url: `${service.contentUrl}/~1.${odd}.a.b/aaaaaaaaaaaaaaaA/`, found: [400, 404] },
    ]) {
      const response = await fetch(url, { redirect: "manual", headers: { Cookie: `vitrine_session=${odd}.${odd}` } });
      expect(found, url).toContain(response.status);
    }
  });
});
