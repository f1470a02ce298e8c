import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import type { BodyInput } from "../../../../src/contract/model/route.ts";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { failureSchema, send } from "../../../support/scenarios.ts";
import { buildUpload, uniqueName, useTwoServices } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";

type Upload = BodyInput<typeof uploadRoute>;
const SENDERS = 20;
const newKey = () => crypto.randomUUID();

describeOneEngine("uploads with an idempotency key", (engine) => {
  const servers = useTwoServices(engine);
  const act = actionsOf(servers.first);
  let token: string;
  let slug: string;

  beforeAll(async () => {
    ({ token, slug } = await servers.first.build.user());
  });

  async function upload(key: string, body: unknown, by = token, index = 0) {
    const { response, answer } = await send(servers.at(index), uploadRoute, {
      token: by,
      headers: { "Idempotency-Key": key },
      body,
    });
    const { baseUrl, contentUrl } = servers.at(index);
    // Replicas share addresses; the servers of this test don't.
    const text = JSON.stringify(answer).replaceAll(baseUrl, "http://app").replaceAll(contentUrl, "http://content");
    const comparable: unknown = JSON.parse(text);
    const replayed = response.headers.get("idempotent-replayed");
    return { status: response.status, replayed, answer: comparable };
  }

  const codeOf = ({ answer }: { answer: unknown }) => z.object({ code: z.string() }).parse(answer).code;
  const errorOf = ({ answer }: { answer: unknown }) => failureSchema.parse(answer).error;
  const versionCount = async (name: string) => (await act.group(token, name)).versions.length;

  test("the same upload gets the same answer, and publishes once", async () => {
    const name = uniqueName();
    const body = buildUpload({ name, folder: "A/B", files: [{ path: "index.html", content: "<img src=/x.png>" }] });
    await act.publish(token, { name, folder: "Elsewhere", visibility: "public" });
    const key = newKey();
    const wanted = { ...body, visibility: "private" } as const;
    const first = await upload(key, wanted);
    expect(first).toMatchObject({ status: 200, replayed: null });
    expect(z.object({ warnings: z.array(z.string()) }).parse(first.answer).warnings).toHaveLength(3);
    await act.setFolder(token, { name, folder: "A/B" });
    for (const index of [0, 1]) {
      expect(await upload(key, wanted, token, index)).toEqual({ ...first, replayed: "true" });
    }
    expect(await versionCount(name)).toBe(2);
  });

  test("the same upload with another key publishes again", async () => {
    const body = buildUpload({ name: uniqueName() });
    expect(codeOf(await upload(newKey(), body))).not.toBe(codeOf(await upload(newKey(), body)));
  });

  const changed: [string, (body: Upload) => unknown][] = [
    ["other content", (body) => ({ ...body, files: [{ path: "index.html", content: "other" }] })],
    ["an additional file", (body) => ({ ...body, files: [...body.files, { path: "a.css", content: "" }] })],
    ["another name", (body) => ({ ...body, name: uniqueName() })],
    ["no name", ({ name: _, ...body }) => body],
    ["another title", (body) => ({ ...body, title: "Other" })],
    ["another folder", (body) => ({ ...body, folder: "Other" })],
    ["another visibility", (body) => ({ ...body, visibility: "public" })],
    ["the workspace by its slug", (body) => ({ ...body, owner: slug })],
    ["an expectation", (body) => ({ ...body, expected_current_code: null })],
  ];
  test.each(changed)("the same key with %s is refused", async (_, change) => {
    const name = uniqueName();
    const key = newKey();
    const body = buildUpload({ name });
    await upload(key, body);
    const refused = await upload(key, change(body));
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({
      status: 409,
      error: "This Idempotency-Key was used for another upload. Use a new key.",
    });
    expect(await versionCount(name)).toBe(1);
  });

  test("the same files in another order or encoding are the same upload", async () => {
    const name = uniqueName();
    const key = newKey();
    const base64 = (content: string) => Buffer.from(content).toString("base64");
    const first = await upload(key, {
      name,
      files: [
        { path: "index.html", content: "<title>é</title>" },
        { path: "a.css", content: "a" },
      ],
    });
    const again = await upload(key, {
      files: [
        { path: "a.css", content: base64("a"), encoding: "base64" },
        { path: "index.html", content: base64("<title>é</title>"), encoding: "base64" },
      ],
      name,
    });
    expect(again).toEqual({ ...first, replayed: "true" });
  });

  test("a retry doesn't fail its own expectation", async () => {
    const key = newKey();
    const body = buildUpload({ name: uniqueName(), expected_current_code: null });
    const first = await upload(key, body);
    expect(await upload(key, body)).toEqual({ ...first, replayed: "true" });
  });

  test("keys of other users and of tokens for other workspaces are independent", async () => {
    const key = newKey();
    const body = buildUpload();
    const other = await servers.first.build.user();
    const { slug: organization, owner } = await servers.first.build.organization();
    const tokens = [
      token,
      other.token,
      await servers.first.build.token({ userSlug: owner.slug }),
      await servers.first.build.token({ userSlug: owner.slug, workspaceSlug: organization }),
    ];
    const codes = new Set<string>();
    for (const by of tokens) codes.add(codeOf(await upload(key, body, by)));
    expect(codes.size).toBe(tokens.length);
  });

  test("a key belongs to the user, with any of their tokens", async () => {
    const key = newKey();
    const body = buildUpload();
    const first = await upload(key, body);
    const second = await servers.first.build.token({ userSlug: slug });
    expect(await upload(key, body, second)).toEqual({ ...first, replayed: "true" });
  });

  test("a key can be used again after a refusal", async () => {
    const key = newKey();
    const stranger = await servers.first.build.user();
    const name = uniqueName();
    await act.publish(stranger.token, { name });
    const body = buildUpload({ name });
    expect((await upload(key, body)).status).toBe(409);
    expect((await upload(key, { ...body, title: "x".repeat(301) })).status).toBe(400);
    await act.deleteGroup(stranger.token, name);
    expect(await upload(key, body)).toMatchObject({ status: 200, replayed: null });
  });

  test.each([
    ["an empty value", ""],
    ["a space", "a b"],
    ["256 characters", "k".repeat(256)],
    ["a non-ASCII letter", "é"],
  ])("%s is not a valid key", async (_, key) => {
    const refused = await upload(key, buildUpload());
    expect({ status: refused.status, error: errorOf(refused) }).toEqual({
      status: 400,
      error: expect.stringMatching(
        /^Idempotency-Key ".*" isn't valid: it must have 1 to 255 visible ASCII characters\.$/,
      ),
    });
  });

  test.each([
    ["one character", "~"],
    ["255 characters", `!"${"k".repeat(253)}`],
  ])("%s is a valid key", async (_, key) => {
    expect(await upload(key, buildUpload())).toMatchObject({ status: 200 });
  });

  describe("concurrent uploads at two servers", () => {
    test(`${SENDERS} times the same upload publishes once, and all get its answer`, async () => {
      const name = uniqueName();
      const key = newKey();
      const body = buildUpload({ name });
      const results = await Promise.all(Array.from({ length: SENDERS }, (_, n) => upload(key, body, token, n)));
      expect(results.filter(({ replayed }) => replayed === null)).toHaveLength(1);
      expect(new Set(results.map(({ answer }) => JSON.stringify(answer))).size).toBe(1);
      expect(results.map(({ status }) => status)).toEqual(results.map(() => 200));
      expect(await versionCount(name)).toBe(1);
      const [code = ""] = new Set(results.map(codeOf));
      expect((await act.read(token, code)).status).toBe(200);
    });

    test(`of ${SENDERS} different uploads with one key, one is published`, async () => {
      const name = uniqueName();
      const key = newKey();
      const results = await Promise.all(
        Array.from({ length: SENDERS }, (_, n) => upload(key, buildUpload({ name, title: `${n}` }), token, n)),
      );
      expect(results.map(({ status }) => status).toSorted()).toEqual([
        200,
        ...Array.from({ length: SENDERS - 1 }, () => 409),
      ]);
      expect(await versionCount(name)).toBe(1);
    });
  });
});
