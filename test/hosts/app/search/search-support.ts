import type { ResponseOf } from "../../../../src/contract/model/route.ts";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import type { Service } from "../../../support/service.ts";

export type Query = Record<string, string | string[]>;

/** Returns a function that searches a workspace. */
export const searchOf =
  (service: Pick<Service, "client">) =>
  async (token: string, query: Query): Promise<ResponseOf<typeof searchRoute>> => {
    const { owner = "", limit, tag_id, ...rest } = query;
    return service.client(token).call(searchRoute, {
      query: {
        ...(rest as object),
        owner: String(owner),
        ...(limit === undefined ? {} : { limit: Number(limit) }),
        ...(tag_id === undefined ? {} : { tag_id: [tag_id].flat() }),
      },
    });
  };
