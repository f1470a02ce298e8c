import { type Service, uniqueName } from "../../../support/service.ts";
import { trashActionsOf } from "./trash-actions.ts";

export const UNKNOWN_ENTRY = "trs_0000000000000000";
/** A quota that a test can fill. */
export const SMALL_QUOTA = { VITRINE_QUOTA_FREE: "1KB" };

/** Creates a user, and functions that fill the trash. */
export async function createTrashScene(service: Service) {
  const act = trashActionsOf(service);
  const { slug: owner, token } = await service.build.user();

  /** Deletes a report of three versions, one after the other: the second version alone, then the report. */
  async function deleted() {
    const name = uniqueName();
    const [first = "", second = "", third = ""] = await act.publishVersions(token, name, 3);
    await act.deleteCode(token, second);
    await act.deleteGroup(token, name);
    const { entries } = await act.trash(token, { owner, name });
    const [report, version] = entries;
    if (report === undefined || version === undefined) throw new Error("The trash lacks an entry.");
    return { name, first, second, third, report, version };
  }

  /** Creates an organization with two members and an admin. */
  async function shared() {
    const organization = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [maker, other, admin] = organization.members;
    if (maker === undefined || other === undefined || admin === undefined) throw new Error("Members are missing.");
    return { ...organization, maker, other, admin };
  }

  return { act, owner, token, deleted, shared };
}

export type TrashScene = Awaited<ReturnType<typeof createTrashScene>>;
