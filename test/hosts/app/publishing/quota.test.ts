import { expect, test } from "bun:test";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { send } from "../../../support/scenarios.ts";
import { buildUpload, startService, uniqueName } from "../../../support/service.ts";
import { actionsOf, settle } from "../actions.ts";

const KIBIBYTE = 1024;
const ofSize = (bytes: number) => ({ files: [{ path: "index.html", content: "x".repeat(bytes) }] });

describeOneEngine("the storage quota", (engine) => {
  const start = () => startService({ engine, environment: { VITRINE_QUOTA_PRO: "64KB", VITRINE_QUOTA_FREE: "8KB" } });

  test("accepts an upload that just fits, refuses the next byte with 507, and changes nothing", async () => {
    await using service = await start();
    const act = actionsOf(service);
    const { token } = await service.build.user();
    const name = uniqueName();
    const { code } = await act.publish(token, { name, ...ofSize(64 * KIBIBYTE) });
    const before = await act.group(token, name);
    for (const upload of [buildUpload(ofSize(1)), buildUpload({ name, ...ofSize(1) })]) {
      const { response, answer } = await send(service, uploadRoute, { token, body: upload });
      expect(response.status).toBe(507);
      expect(answer).toEqual({ error: expect.stringContaining("quota is full") });
    }
    expect(await act.group(token, name)).toEqual(before);
    expect((await act.list(token)).standalone).toEqual([]);
    expect((await act.read(token, code)).status).toBe(200);
  });

  test("applies to each workspace separately, by its plan", async () => {
    await using service = await start();
    const act = actionsOf(service);
    const [full, other, free] = await Promise.all([
      service.build.user(),
      service.build.user(),
      service.build.user({ plan: "free" }),
    ]);
    await act.publish(full.token, ofSize(64 * KIBIBYTE));
    await act.publish(other.token, ofSize(64 * KIBIBYTE));
    await act.publish(free.token, ofSize(8 * KIBIBYTE));
    const { response } = await send(service, uploadRoute, { token: free.token, body: buildUpload(ofSize(1)) });
    expect(response.status).toBe(507);
  });

  test("counts all files, and deletion frees space", async () => {
    await using service = await start();
    const act = actionsOf(service);
    const { token } = await service.build.user();
    const name = uniqueName();
    const half = { files: [...ofSize(16 * KIBIBYTE).files, { path: "a.txt", content: "é".repeat(8 * KIBIBYTE) }] };
    const { code } = await act.publish(token, { name, ...half });
    await act.publish(token, { name, ...half });
    const refused = await send(service, uploadRoute, { token, body: buildUpload(ofSize(1)) });
    expect(refused.response.status).toBe(507);
    await act.deleteCode(token, code);
    await act.publish(token, { name, ...half });
    await act.deleteGroup(token, name);
    await act.publish(token, ofSize(64 * KIBIBYTE));
  });

  test("isn't exceeded by concurrent uploads", async () => {
    await using service = await start();
    const act = actionsOf(service);
    const { token } = await service.build.user();
    const uploads = Array.from({ length: 12 }, () => act.publish(token, ofSize(20 * KIBIBYTE)));
    const { answers, refusals } = await settle(uploads);
    expect(answers).toHaveLength(3);
    expect(new Set(refusals)).toEqual(new Set([507]));
    expect((await act.list(token)).standalone).toHaveLength(3);
  });
});
