import { describe, expect, test } from "bun:test";
import { SettingError } from "../../src/settings/setting-error.ts";
import { readSettings } from "../../src/settings/settings.ts";

const FROM = "vitrine@example.org";
const read = (url: string, from: string | undefined = FROM) =>
  readSettings({ VITRINE_SMTP_URL: url, VITRINE_SMTP_FROM: from }).smtp;

function errorOf(url: string, from?: string): string {
  try {
    read(url, from);
    return "";
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}

describe("the mail server", () => {
  test.each([
    [
      "smtp://mail.example.org",
      { host: "mail.example.org", port: 587, encryption: "starttls", credentials: undefined },
    ],
    ["smtps://mail.example.org", { port: 465, encryption: "tls" }],
    ["smtps://mail.example.org:2465/", { port: 2465, encryption: "tls" }],
    ["smtp://relay:25?tls=off", { host: "relay", port: 25, encryption: "none" }],
    ["smtp://localhost:1025", { encryption: "none" }],
    ["smtp://[::1]:1025", { host: "::1", encryption: "none" }],
    ["smtps://localhost", { encryption: "tls" }],
    ["smtp://me%40here:p%3Aw@mail.example.org", { credentials: { user: "me@here", password: "p:w" } }],
  ])("%s", (url, expected) => {
    expect(read(url)).toMatchObject({ ...expected, from: FROM });
  });

  test.each([
    "http://mail.example.org",
    "mail.example.org:587",
    "smtp://",
    "smtp://u:hunter2@mail.example.org/inbox",
    "smtp://u:hunter2@mail.example.org?tls=no",
    "smtps://u:hunter2@mail.example.org?tls=off",
    "smtp://u:hunter2@mail.example.org?tls=off&pool=1",
    "smtp://u:hunter2%zz@mail.example.org",
  ])("can't be at %s, and the error doesn't repeat a password", (url) => {
    const message = errorOf(url, FROM);
    expect(message).toMatch(/^VITRINE_SMTP_URL [^\n]+\.$/);
    expect(message).not.toContain("hunter2");
  });

  test("requires a sender, which is an address with or without a name", () => {
    expect(() => readSettings({ VITRINE_SMTP_URL: "smtp://localhost" })).toThrow("VITRINE_SMTP_FROM is missing.");
    expect(read("smtp://localhost", "Vitrine <v@example.org>")).toMatchObject({ from: "Vitrine <v@example.org>" });
    for (const from of ["vitrine", "a@b\nBcc: c@d", "<a@b>", "A <a>"]) {
      expect(errorOf("smtp://localhost", from)).toStartWith("VITRINE_SMTP_FROM must be an address");
    }
    expect(readSettings({ VITRINE_SMTP_FROM: FROM }).smtp).toBeUndefined();
  });
});
