import { expect, test } from "bun:test";
import type { Mail } from "../../src/mail/compose.ts";
import { createSharingMail } from "../../src/mail/sharing-mail.ts";

const sent: Mail[] = [];
const mail = createSharingMail(async (one) => void sent.push(one), "https://vitrine.example.org");

test("what people wrote stays on its line, and is text in HTML", async () => {
  const title = "Sales\r\nBcc: all@example.org\u202e <script>";
  await mail.sendShared({
    to: "grace@example.org",
    sharer: "Ada\nB",
    title,
    url: "https://vitrine.example.org/sales/",
  });
  const [{ subject, text, html } = { subject: "", text: "", html: "" }] = sent.splice(0);
  expect(subject).toBe('Ada B shared "Sales Bcc: all@example.org <script>" with you');
  expect(text).toContain('the report "Sales Bcc: all@example.org <script>" with you on vitrine.example.org');
  expect(text).toContain("\n\nhttps://vitrine.example.org/sales/\n\n");
  expect(html).toContain("&lt;script&gt;");
  expect(html).not.toContain("<script>");
});

test("a request for access shows the verified address, the message and where to answer", async () => {
  const url = "https://vitrine.example.org/-/requests";
  const request = { to: "ada@example.org", person: "grace@example.org", title: "Sales", message: "For\n\nMonday", url };
  await mail.sendAccessRequest(request);
  await mail.sendAccessRequest({ ...request, message: null });
  const [first, second] = sent.splice(0);
  expect(first?.subject).toBe('grace@example.org asks for access to "Sales"');
  expect(first?.text).toContain("Their message: For Monday\n\n");
  expect(first?.text).toContain(url);
  expect(second?.text).not.toContain("message");
});
