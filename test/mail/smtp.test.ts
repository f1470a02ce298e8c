import { expect, test } from "bun:test";
import { createAccountMail } from "../../src/mail/account-mail.ts";
import { checkSmtp, createSmtpSender, type SmtpServer } from "../../src/mail/smtp.ts";
import { failureOf } from "../store/support.ts";
import { startMailServer } from "./mail-server.ts";

const settingsFor = ({ port }: { port: number }, others: Partial<SmtpServer> = {}): SmtpServer => ({
  host: "127.0.0.1",
  port,
  encryption: "none",
  credentials: undefined,
  from: "Vitrine <vitrine@example.org>",
  ...others,
});

const mail = { to: "ada@example.org", subject: "Hello", text: "Hello\n", html: "<p>Hello" };

test("mails have plain text and HTML, one link, and no other address", async () => {
  await using server = await startMailServer();
  const send = createSmtpSender(settingsFor(server));
  const mails = createAccountMail(send, "https://reports.example.org");
  const url = "https://reports.example.org/-/reset-password?token=abc";
  await mails.sendPasswordLink({ to: "ada@example.org", url });
  await mails.sendSingleSignOnHint({ to: "ada@example.org" });
  await mails.sendPasswordChanged({ to: "ada@example.org" });
  expect(server.received).toHaveLength(3);
  for (const { from, to } of server.received) {
    expect({ from, to }).toEqual({ from: "vitrine@example.org", to: ["ada@example.org"] });
  }
  const subjects = server.received.map(({ text }) => /^Subject: (.+)\r$/m.exec(text)?.[1]);
  expect(subjects).toEqual([
    "Reset your password for reports.example.org",
    "Signing in to reports.example.org",
    "Your password for reports.example.org was changed",
  ]);
  const links = server.received.map(({ text }) => new Set(text.match(/https:\/\/[^\s"<]+/g)));
  expect(links).toEqual([
    new Set([url]),
    new Set(["https://reports.example.org/-/sign-in"]),
    new Set(["https://reports.example.org/-/forgot-password"]),
  ]);
  for (const { text } of server.received) {
    expect(text).toContain("Content-Type: text/plain");
    expect(text).toContain("Content-Type: text/html");
  }
});

test("a server that needs a password gets it", async () => {
  const account = { user: "mailer", password: "hunter2" };
  await using server = await startMailServer({ account });
  await createSmtpSender(settingsFor(server, { credentials: account }))(mail);
  expect(server.received).toHaveLength(1);
  const wrong = settingsFor(server, { credentials: { ...account, password: "wrong password" } });
  expect((await failureOf(createSmtpSender(wrong)(mail))).message).toContain("Invalid user or password");
  await failureOf(checkSmtp(wrong));
  await checkSmtp(settingsFor(server, { credentials: account }));
});

test("mails aren't sent to a server whose certificate isn't trusted, nor without encryption", async () => {
  await using upgrading = await startMailServer();
  await using encrypting = await startMailServer({ isSecure: true });
  for (const settings of [
    settingsFor(upgrading, { encryption: "starttls" }),
    settingsFor(encrypting, { encryption: "tls" }),
  ]) {
    expect((await failureOf(createSmtpSender(settings)(mail))).message).toMatch(/certificate|self.signed/i);
    await failureOf(checkSmtp(settings));
  }
  expect([upgrading.received, encrypting.received]).toEqual([[], []]);
});

test("a refused recipient and a server that is down are errors", async () => {
  await using server = await startMailServer({ refused: "nobody@" });
  const send = createSmtpSender(settingsFor(server));
  expect((await failureOf(send({ ...mail, to: "nobody@example.org" }))).message).toContain("No such mailbox");
  await server[Symbol.asyncDispose]();
  expect((await failureOf(send(mail))).message).toMatch(/ECONNREFUSED|connect/i);
});
