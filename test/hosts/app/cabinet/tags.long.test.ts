import { expect, test } from "bun:test";
import { describeEachEngine } from "../../../support/engines.ts";
import { useService } from "../../../support/service.ts";
import { orderActionsOf } from "./order-actions.ts";

/** More levels than either database recurses by default. */
const DEEP = 1_100;

describeEachEngine("tags", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);

  test(`a tree of ${DEEP} levels is created, moved and deleted`, async () => {
    const user = await service.build.user();
    const ids: string[] = [];
    for (let level = 0; level < DEEP; level++) {
      ids.push((await act.createTag(user.token, user.slug, "Level", ids.at(-1) ?? null)).id);
    }
    const [top = ""] = ids;
    const elsewhere = await act.createTag(user.token, user.slug, "Elsewhere");
    await act.moveTag(user.token, top, elsewhere.id);
    expect(await act.deleteTag(user.token, top)).toEqual({ ok: true, deleted: DEEP });
    expect((await act.taxonomy(user.token, user.slug)).tags).toEqual([elsewhere]);
  });
});
