import { describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operatorOfCommand } from "../../../../src/domain/model/access.ts";
import { RESET_PATH } from "../../../../src/domain/people/password-resets.ts";
import { certificateUnavailable, createCertificate } from "../../../browser/tls.ts";
import { startMailServer } from "../../../mail/mail-server.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { logged } from "../../../support/log.ts";
import { addPerson } from "../../../support/people.ts";
import { PASSWORD, startService, useService } from "../../../support/service.ts";
import { post, signIn } from "../../../support/sessions.ts";
import { describeIf } from "../../../support/skip.ts";
import { until } from "../../../support/until.ts";
import { use } from "../../../support/use.ts";

const REQUEST = "/api/auth/request-password-reset";
const NEW_PASSWORD = "a quite new password";
const FROM = { VITRINE_SMTP_FROM: "Vitrine <vitrine@example.org>" };

const answerOf = async (response: Response) => ({ status: response.status, body: await response.text() });

describeOneEngine("resetting a password by mail", (engine) => {
  const mail = use(() => startMailServer({ refused: "refused" }));
  const service = useService(() => ({
    engine,
    environment: { VITRINE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`, ...FROM },
  }));

  const mailsTo = (email: string) => mail.received.filter(({ to }) => to.includes(email.toLowerCase()));
  const request = (email: string) => post(service, REQUEST, { email }).then(answerOf);
  const reset = (token: string, password = NEW_PASSWORD) =>
    post(service, "/api/auth/reset-password", { token, password }).then(answerOf);
  const signInStatus = async (email: string, password: string) =>
    (await post(service, "/api/auth/sign-in/email", { email, password })).status;
  const pageAt = async (path: string) => {
    const response = await fetch(service.baseUrl + path, { headers: { Accept: "text/html" } });
    return { status: response.status, body: await response.text() };
  };

  /** Requests a link and returns the token in the mail. */
  async function tokenFor(email: string): Promise<string> {
    const before = mailsTo(email).length;
    expect(await request(email)).toEqual({ status: 200, body: '{"ok":true}' });
    const received = await until(() => mailsTo(email)[before]);
    const [, token = ""] = /reset-password\?token=(\w+)/.exec(received.text) ?? [];
    expect(received.text).toContain(`${service.baseUrl}${RESET_PATH}?token=${token}`);
    return token;
  }

  test("the link sets a new password once, ends all sessions and tells the user", async () => {
    const person = await addPerson(service);
    const cookie = await signIn(service, person);
    const token = await tokenFor(person.email.toUpperCase());
    expect((await pageAt(`${RESET_PATH}?token=${token}`)).body).toContain("Choose a new password");
    expect(await reset(token, "short")).toEqual({
      status: 400,
      body: '{"error":"password must have at least 10 characters."}',
    });
    expect(await reset(token)).toEqual({ status: 200, body: '{"ok":true}' });
    expect(await signInStatus(person.email, PASSWORD)).toBe(401);
    expect(await signInStatus(person.email, NEW_PASSWORD)).toBe(200);
    const session = await fetch(`${service.baseUrl}/api/auth/get-session`, { headers: { Cookie: cookie } });
    expect(await session.json()).toBeNull();
    const told = await until(() => mailsTo(person.email)[1]);
    expect(told.text).toContain("Your password for");
    const over = { status: 400, body: expect.stringContaining("already used, or it has expired") };
    expect(await reset(token)).toEqual(over);
    const page = await pageAt(`${RESET_PATH}?token=${token}`);
    expect([page.status, page.body.includes("This link no longer works")]).toEqual([404, true]);
  });

  test("the answer is the same for an unknown address, which gets no mail", async () => {
    const person = await addPerson(service);
    const unknown = `nobody-${crypto.randomUUID()}@example.org`;
    expect(await request(unknown)).toEqual(await request(person.email));
    await until(() => mailsTo(person.email)[0]);
    expect(mailsTo(unknown)).toEqual([]);
    expect(await request("no address")).toEqual({ status: 400, body: expect.stringContaining("valid email address") });
  });

  test("a disabled user gets no link, and an old link doesn't work", async () => {
    const { build } = service;
    const person = await addPerson(service);
    const token = await tokenFor(person.email);
    const by = operatorOfCommand();
    await build.store.operations.disableUser({ by, userId: person.userId, now: Date.now() });
    expect((await reset(token)).status).toBe(400);
    expect(await request(person.email)).toEqual({ status: 200, body: '{"ok":true}' });
    // A later mail to another user shows that none is on its way.
    await tokenFor((await addPerson(service)).email);
    expect(mailsTo(person.email)).toHaveLength(1);
    expect(await signInStatus(person.email, PASSWORD)).toBe(403);
    expect(await signInStatus(person.email, "wrong password")).toBe(401);
    await build.store.operations.enableUser({ by, userId: person.userId, now: Date.now() });
    expect(await signInStatus(person.email, PASSWORD)).toBe(200);
  });

  test("a refused recipient is logged, and the answer is the same", async () => {
    const { build } = service;
    const slug = `refused-${crypto.randomUUID().slice(0, 8)}`;
    await build.user({ slug });
    expect(await request(`${slug}@example.org`)).toEqual({ status: 200, body: '{"ok":true}' });
    await logged(service, /A mail about a password could not be sent\./);
    expect(service.log()).not.toContain(`${RESET_PATH}?`);
  });

  test("requests for one account are limited, whether or not it exists", async () => {
    const person = await addPerson(service);
    for (const email of [person.email, `nobody-${crypto.randomUUID()}@example.org`]) {
      const statuses: number[] = [];
      for (let count = 0; count < 4; count++) statuses.push((await request(email)).status);
      expect(statuses).toEqual([200, 200, 200, 429]);
    }
  });

  test("the sign-in page leads to the form", async () => {
    expect((await pageAt("/-/sign-in")).body).toContain('href="/-/forgot-password"');
    expect((await pageAt("/-/forgot-password")).body).toContain(`data-to="${REQUEST}"`);
    expect((await pageAt("/-/forgot-password/sent")).body).toContain("If the address belongs to an account");
  });
});

describe("without a mail server", () => {
  const service = useService();

  test("the form isn't offered, but links of operators work", async () => {
    const { body } = await fetch(`${service.baseUrl}/-/sign-in`).then(answerOf);
    expect(body).not.toContain("forgot-password");
    const email = `ada-${crypto.randomUUID()}@example.org`;
    expect((await post(service, REQUEST, { email }).then(answerOf)).status).toBe(400);
    const over = await fetch(`${service.baseUrl}${RESET_PATH}?token=x`).then(answerOf);
    expect(over).toMatchObject({ status: 404, body: expect.stringContaining("Ask an administrator") });
  });
});

test("a mail server that is down changes no answer and is logged", async () => {
  const server = await startMailServer();
  await server[Symbol.asyncDispose]();
  await using service = await startService({
    environment: { VITRINE_SMTP_URL: `smtp://127.0.0.1:${server.port}`, ...FROM },
  });
  const person = await addPerson(service);
  expect(await post(service, REQUEST, { email: person.email }).then(answerOf)).toEqual({
    status: 200,
    body: '{"ok":true}',
  });
  await logged(service, /could not be sent/);
});

describeIf("with TLS", certificateUnavailable(), () => {
  test("a mail goes encrypted to a server whose certificate is trusted", async () => {
    const certificate = await createCertificate("mail.example.org");
    await using server = await startMailServer({ isSecure: true, certificate });
    const directory = await mkdtemp(join(tmpdir(), "vitrine-test-"));
    const file = join(directory, "authority.pem");
    try {
      await writeFile(file, certificate.cert);
      const url = `smtps://127.0.0.1:${server.port}`;
      const environment = { VITRINE_SMTP_URL: url, NODE_EXTRA_CA_CERTS: file, ...FROM };
      await using service = await startService({ environment });
      const { email } = await addPerson(service);
      expect((await post(service, REQUEST, { email })).status).toBe(200);
      expect(await until(() => server.received[0])).toMatchObject({ to: [email], isEncrypted: true });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
