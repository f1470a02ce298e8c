import { beforeAll, expect, test } from "bun:test";
import { startMailServer } from "../../../mail/mail-server.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { until } from "../../../support/until.ts";
import { use } from "../../../support/use.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { guestsOf, storedRows } from "./guests.ts";

describeOneEngine("guest links for certain addresses", (engine) => {
  const mail = use(() => startMailServer());
  const service = useService(() => ({
    engine,
    environment: {
      VITRINE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      VITRINE_SMTP_FROM: "Vitrine <vitrine@example.org>",
    },
  }));
  const act = actionsOf(service);
  const guests = guestsOf(service);
  let owner: string;

  beforeAll(async () => {
    owner = (await service.build.user()).token;
  });

  async function share(emails: string[]) {
    const name = uniqueName();
    await act.publish(owner, { name, title: "Figures" });
    return { name, ...(await guests.create(owner, { name, emails })) };
  }
  const addressOf = (who: string) => `${who}-${crypto.randomUUID().slice(0, 8)}@example.org`;
  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email));
  const request = async (url: string, email: unknown) => {
    const response = await guests.send(url, "~code", { email });
    return [response.status, await response.text()];
  };
  async function codeFor(url: string, email: string): Promise<string> {
    const before = mailsTo(email).length;
    expect(await request(url, email)).toEqual([200, '{"ok":true}']);
    const { text } = await until(() => mailsTo(email)[before]);
    return /^(\d{6})$/m.exec(text)?.[1] ?? "";
  }
  const wrongFor = (code: string) => (code === "111111" ? "222222" : "111111");

  test("open with the code that was sent to a listed address, once", async () => {
    const email = addressOf("Ada");
    const { url, name } = await share([email, "other@example.org"]);
    expect((await guests.list(owner, { name }))[0]?.emails).toEqual([email.toLowerCase(), "other@example.org"]);
    const code = await codeFor(url, email.toLowerCase());
    expect(code).toMatch(/^\d{6}$/);
    const other = await share([email]);
    expect((await guests.open(other.url, { email, code })).status).toBe(403);
    expect((await guests.open(url, { email, code: wrongFor(code) })).status).toBe(403);
    const opened = await guests.opened(url, { email, code });
    expect(opened.current.title).toBe("Figures");
    expect((await guests.open(url, { email, code })).status).toBe(403);
    expect((await guests.open(url, {}, opened.pass)).status).toBe(200);
    // What a code opens is used up with it, and neither the code nor the address is stored.
    const third = await codeFor(other.url, email.toLowerCase());
    const stored = JSON.stringify(await storedRows(service, "guest_codes"));
    expect(stored).toContain(other.id);
    for (const secret of [third, email.toLowerCase()]) expect(stored).not.toContain(secret);
  });

  test("answer alike for an address that isn't listed, and send it nothing", async () => {
    const [listed, unlisted] = [addressOf("listed"), addressOf("unlisted")];
    const { url } = await share([listed]);
    expect(await request(url, unlisted)).toEqual(await request(url, listed));
    await until(() => mailsTo(listed).length === 1);
    expect(mailsTo(unlisted)).toEqual([]);
    const answers = await Promise.all(
      [listed, unlisted].map(async (email) => {
        const response = await guests.open(url, { email, code: "000000" });
        return [response.status, await response.text()];
      }),
    );
    expect(answers[0]).toEqual(answers[1] ?? []);
  });

  test("a code works for five tries and ten minutes, and a new one replaces it", async () => {
    const email = addressOf("guest");
    const { url, id } = await share([email]);
    const first = await codeFor(url, email);
    for (let tries = 0; tries < 5; tries++) {
      expect((await guests.open(url, { email, code: wrongFor(first) })).status).toBe(403);
    }
    expect((await guests.open(url, { email, code: first })).status).toBe(403);
    const second = await codeFor(url, email);
    const row = (await storedRows(service, "guest_codes")).find((one) => one["link_id"] === id);
    const left = Number(row?.["expires_at"]) - Date.now();
    expect(left).toBeGreaterThan(8 * 60_000);
    expect(left).toBeLessThanOrEqual(10 * 60_000);
    await executeSql(service.database, `update guest_codes set expires_at = 1 where link_id = '${id}'`);
    expect((await guests.open(url, { email, code: second })).status).toBe(403);
    const third = await codeFor(url, email);
    expect((await guests.open(url, { email, code: third })).status).toBe(200);
    // Three codes for one address are enough.
    expect(await request(url, email)).toEqual([429, expect.stringContaining("Too many attempts to request a code")]);
  });

  test.each([
    ["no address", undefined, "email"],
    ["no email address", "nobody", "isn't a valid email address"],
    ["a number", 7, "email must be"],
  ])("%s", async (_, email, error) => {
    const { url } = await share(["ada@example.org"]);
    expect(await request(url, email)).toEqual([400, expect.stringContaining(error)]);
  });

  test("a wrong address in the list", async () => {
    const name = uniqueName();
    await act.publish(owner, { name });
    expect(await statusOf(guests.create(owner, { name, emails: ["ada@example.org", "nobody"] }))).toBe(400);
    expect(await guests.list(owner, { name })).toEqual([]);
  });
});
