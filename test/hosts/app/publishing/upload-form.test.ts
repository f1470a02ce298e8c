import { beforeAll, describe, expect, test } from "bun:test";
import { sendRaw } from "../../../support/raw-http.ts";
import { type Service, uniqueName, useService } from "../../../support/service.ts";
import { asPage, signIn } from "../../../support/sessions.ts";
import { actionsOf } from "../actions.ts";
import { encodeForm, type FormPart, indexPart } from "./forms.ts";
import { accepted, expectRefused, postUpload } from "./upload-support.ts";

const MEBIBYTE = 1024 * 1024;
const field = (name: string, content: string | Uint8Array): FormPart => ({ name, content });
const file = (filename: string, content: string | Uint8Array = ""): FormPart => ({ name: "files", filename, content });
const many = (count: number) => Array.from({ length: count }, (_, n) => file(`f${n}`));

describe("an upload as a form", () => {
  const service = useService();
  const act = actionsOf(service);
  let user: Awaited<ReturnType<Service["build"]["user"]>>;
  let token: string;

  beforeAll(async () => {
    user = await service.build.user();
    token = user.token;
  });

  const post = (body: RequestInit["body"], type: string | undefined, headers: Record<string, string> = {}) =>
    postUpload(service, {
      token,
      body,
      headers: { ...(type === undefined ? {} : { "Content-Type": type }), ...headers },
    });

  test("is accepted from browsers' and tools' form libraries", async () => {
    const name = uniqueName();
    const image = crypto.getRandomValues(new Uint8Array(100_000));
    const form = new FormData();
    form.set("name", name);
    form.set("title", "Ein Bericht: é, 四月");
    form.set("folder", "Sales/2026");
    form.set("visibility", "public");
    form.set("owner", user.slug);
    form.set("storage", "memory");
    form.set("expected_current_code", "");
    form.append("files", new File(["<!doctype html><img src=chart.png><img src=/x.png>"], "index.html"));
    form.append("anything", new File([image], "chart.png", { type: "image/png" }));
    const answer = await accepted(await post(form, undefined));
    expect(answer).toMatchObject({ name, visibility: "public", owner: user.slug, warnings: [expect.any(String)] });
    const group = await act.group(token, name);
    expect(group).toMatchObject({
      folder: "Sales/2026",
      versions: [{ title: "Ein Bericht: é, 四月", storage: "memory" }],
    });
    expect(await (await act.read(token, answer.code, "chart.png")).bytes()).toEqual(image);
  });

  test("takes the document's title, and is answered like JSON", async () => {
    const { type, body } = encodeForm([indexPart()]);
    const { code } = await accepted(await post(body, type));
    expect(await (await act.read(token, code)).text()).toBe("<!doctype html><title>A form</title>");
    const { standalone } = await act.list(token);
    expect(standalone.find((report) => report.code === code)).toMatchObject({ title: "A form", visibility: "private" });
  });

  test("has the same key as the same upload in JSON", async () => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const name = uniqueName();
    const { type, body } = encodeForm([indexPart("é"), field("name", name), field("expected_current_code", "")]);
    const first = await accepted(await post(body, type, key));
    const json = { name, expected_current_code: null, files: [{ path: "index.html", content: "é" }] };
    const again = await post(JSON.stringify(json), "application/json", key);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await accepted(again)).toEqual(first);
  });

  test("can arrive in chunks of any size", async () => {
    const content = crypto.getRandomValues(new Uint8Array(60_000));
    const { type, body } = encodeForm([indexPart(), file("a.bin", content)]);
    for (const longest of [1, 7, 1_000, 50_000]) {
      // The pieces are few enough for a busy machine to send them before the body counts as too slow.
      let sent = Math.max(0, body.length - 300 * longest);
      const pieces = new ReadableStream<Uint8Array>({
        start: (controller) => (sent > 0 ? controller.enqueue(body.subarray(0, sent)) : undefined),
        pull(controller) {
          const size = 1 + Math.floor(Math.random() * longest);
          controller.enqueue(body.subarray(sent, sent + size));
          sent += size;
          if (sent >= body.length) controller.close();
        },
      });
      const { code } = await accepted(await post(pieces, type));
      expect(await (await act.read(token, code, "a.bin")).bytes()).toEqual(content);
    }
  });

  test("can have 100 files, one of them with 10 MB", async () => {
    const { type, body } = encodeForm([
      indexPart(),
      file("a.bin", new Uint8Array(10 * MEBIBYTE)),
      ...many(98),
      field("title", "T"),
    ]);
    await accepted(await post(body, type));
  });

  const refusals: [string, number, string | RegExp, () => readonly FormPart[]][] = [
    ["no parts", 400, "files has no index.html", () => []],
    ["no index.html", 400, "files has no index.html", () => [file("a.html")]],
    ["two index.html", 400, /files\[1\]\.path repeats/, () => [indexPart(), indexPart()]],
    ["101 files", 400, "files must have at most 100", () => [indexPart(), ...many(100)]],
    ["thousands of files", 400, "files must have at most 100", () => [indexPart(), ...many(5_000)]],
    [
      "a file over 10 MB",
      413,
      '"a" exceeds the limit of 10 MB',
      () => [indexPart(), file("a", new Uint8Array(10 * MEBIBYTE + 1))],
    ],
    [
      "more than 20 MB",
      413,
      "20 MB",
      () => [indexPart(), file("a", new Uint8Array(10 * MEBIBYTE)), file("b", new Uint8Array(10 * MEBIBYTE))],
    ],
    [
      "a repeated field",
      400,
      "title occurs more than once",
      () => [indexPart(), field("title", "A"), field("title", "A")],
    ],
    ["an unknown field", 400, 'The form field "colour" isn\'t known', () => [indexPart(), field("colour", "red")]],
    ["a file without a name", 400, 'The form field "files" isn\'t known', () => [field("files", "<p>")]],
    ["a file with an empty name", 400, 'The form field "files" isn\'t known', () => [indexPart(), file("")]],
    ["a part without any name", 400, 'The form field "" isn\'t known', () => [indexPart(), { content: "x" }]],
    ["a wrong name", 400, 'name "Sales" isn\'t valid', () => [indexPart(), field("name", "Sales")]],
    ["an unknown visibility", 400, "visibility must be public", () => [indexPart(), field("visibility", "secret")]],
    ["a title of 301 characters", 400, "title must have", () => [indexPart(), field("title", "é".repeat(301))]],
    ["a title with NUL", 400, "title must be valid Unicode text", () => [indexPart(), field("title", "a\0b")]],
    [
      "a title that is not UTF-8",
      400,
      "title must be text encoded as UTF-8",
      () => [indexPart(), field("title", new Uint8Array([0xff]))],
    ],
    ["an expectation without a name", 400, "name is required", () => [indexPart(), field("expected_current_code", "")]],
    [
      "a file in base64",
      400,
      'The form field "files" uses the transfer encoding "base64"',
      () => [{ ...indexPart(), headers: ["Content-Transfer-Encoding: base64"] }],
    ],
    [
      "an unterminated header",
      400,
      "isn't a valid form",
      () => [{ ...indexPart(), headers: [`X: ${"x".repeat(9_000)}`] }],
    ],
    ["an unknown workspace", 404, /^Workspace ".*" not found/, () => [indexPart(), field("owner", "nobody")]],
    ...["../a", "a/b", "/etc/passwd", "a\\\\b", "..", ".", "C:\\\\a", "é.html", "a b", "a%2Fb", "a\tb"].map(
      (path): [string, number, RegExp, () => readonly FormPart[]] => [
        `a file called ${JSON.stringify(path)}`,
        400,
        /^files\[1\]\.path ".+" isn't a valid file name/,
        () => [indexPart(), file(path)],
      ],
    ),
  ];
  test.each(refusals)("%s → %i", async (_, status, error, parts) => {
    const { type, body } = encodeForm(parts());
    await expectRefused(await post(body, type), status, error);
  });

  test.each([
    ["none", "multipart/form-data"],
    ["an empty one", 'multipart/form-data; boundary=""'],
    ["one of 71 characters", `multipart/form-data; boundary=${"b".repeat(71)}`],
    ["an invalid one", "multipart/form-data; boundary=a*b"],
    ["one that ends with a space", 'multipart/form-data; boundary="a "'],
  ])("a boundary: %s → 400", async (_, type) => {
    await expectRefused(await post(encodeForm([indexPart()]).body, type), 400, "boundary of 1 to 70 characters");
  });

  test.each([
    ["of 70 characters", "b".repeat(70)],
    ["of one character", "-"],
    ["with a space and punctuation", "a ()+_,-./:=?'b"],
  ])("a boundary %s", async (_, boundary) => {
    const { body } = encodeForm([indexPart()], boundary);
    await accepted(await post(body, `Multipart/Form-Data; charset=utf-8; boundary="${boundary}"`));
  });

  test("a boundary other than the body's → 400", async () => {
    const { body } = encodeForm([indexPart()], "one");
    await expectRefused(await post(body, "multipart/form-data; boundary=other"), 400, "isn't a valid form");
  });

  test("more than 20 MB in chunks of unknown length → 413", async () => {
    let sent = 0;
    const head = encodeForm([indexPart()]);
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(head.body.subarray(0, 100)),
      pull(controller) {
        sent += 64 * 1024;
        if (sent > 22 * MEBIBYTE) controller.close();
        else controller.enqueue(new Uint8Array(64 * 1024));
      },
    });
    await expectRefused(await post(endless, head.type), 413, "20 MB");
  });

  test("a truncated body → 400", async () => {
    const { type, body } = encodeForm([indexPart()]);
    const cut = Buffer.from(body.subarray(0, body.length - 20)).toString("latin1");
    const head = `POST /api/upload HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${cut.length}\r\nConnection: close\r\n\r\n`;
    const { status, body: answer } = await sendRaw(service.baseUrl, head + cut);
    expect({ status, answer: JSON.parse(answer) }).toEqual({
      status: 400,
      answer: {
        error: "The request body isn't a valid form. Send multipart/form-data with the boundary in Content-Type.",
      },
    });
  });

  test("a session's form → 415, also from Vitrine's own pages; another site's → 403", async () => {
    const cookie = await signIn(service, user);
    const { type, body } = encodeForm([indexPart()]);
    const send = (headers: Record<string, string>) =>
      fetch(`${service.baseUrl}/api/upload`, { method: "POST", body, headers: { "Content-Type": type, ...headers } });
    await expectRefused(await send(asPage(service, cookie)), 415, "Uploading a form requires an access token");
    await expectRefused(await send({ Cookie: cookie, Origin: "https://evil.example" }), 403, "comes from another site");
    await expectRefused(await send({}), 401, "requires an access token");
  });
});
