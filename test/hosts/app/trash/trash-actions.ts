import type { BodyInput, QueryInput } from "../../../../src/contract/model/route.ts";
import { retentionRoute, setRetentionRoute } from "../../../../src/contract/trash/retention.ts";
import { protectRoute, purgeTrashRoute, restoreTrashRoute, trashRoute } from "../../../../src/contract/trash/trash.ts";
import type { Service } from "../../../support/service.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";

/** Returns calls of the trash beside those of the cabinet. */
export function trashActionsOf(service: Service) {
  const { client } = service;
  return {
    ...orderActionsOf(service),
    trash: (token: string, query: QueryInput<typeof trashRoute>) => client(token).call(trashRoute, { query }),
    restoreTrash: (token: string, body: BodyInput<typeof restoreTrashRoute>) =>
      client(token).call(restoreTrashRoute, { body }),
    purge: (token: string, body: BodyInput<typeof purgeTrashRoute>) => client(token).call(purgeTrashRoute, { body }),
    protect: (token: string, body: BodyInput<typeof protectRoute>) => client(token).call(protectRoute, { body }),
    retention: (token: string, owner: string) => client(token).call(retentionRoute, { query: { owner } }),
    setRetention: (token: string, body: BodyInput<typeof setRetentionRoute>) =>
      client(token).call(setRetentionRoute, { body }),
  };
}

export type TrashActions = ReturnType<typeof trashActionsOf>;
