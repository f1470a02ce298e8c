import { useQueryClient } from "@tanstack/react-query";
import { tagItemsRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { referenceOf, referenceText } from "../api/references.ts";
import { notifyError } from "../shared/notify.ts";
import { type Details, toUpload } from "./details.ts";
import type { Part, Published } from "./upload.ts";
import type { NameCheck } from "./use-name-check.ts";
import type { usePublish } from "./use-publish.ts";
import type { SuggestedName } from "./use-suggested-name.ts";

interface Order {
  details: Details;
  check: NameCheck;
  visibility: NonNullable<Details["visibility"]>;
  folder: string | undefined;
  read(): Promise<readonly Part[]>;
}

interface Options {
  owner: string;
  sending: ReturnType<typeof usePublish>;
  suggested: SuggestedName;
}

/** Returns a function that publishes a report with its tags; undefined if refused. */
export function useSend({ owner, sending, suggested }: Options): (order: Order) => Promise<Published | undefined> {
  const queries = useQueryClient();

  async function addTags(report: Published, tagIds: readonly string[]): Promise<void> {
    if (tagIds.length === 0) return;
    try {
      await api.call(tagItemsRoute, { body: { items: [referenceOf(referenceText(report))], add: [...tagIds] } });
      await refreshAbout(queries, owner, ["items"]);
    } catch (error) {
      notifyError("Published, but the tags couldn't be added", error);
    }
  }

  return async ({ details, check, visibility, folder, read }) => {
    const { name, tagIds } = details;
    const uploadAs = (chosen: string) => toUpload(details, check, { name: chosen, visibility, folder });
    const suggestion = () => suggested.find().catch(() => undefined);
    const report = await sending.publish({
      details: async () => uploadAs(name ?? (await suggestion())?.name ?? ""),
      // The name may belong to a report that the user can't see, so the suggestion couldn't know.
      renamed: name === undefined ? async () => uploadAs((await suggested.find(true)).name) : undefined,
      read,
    });
    if (report !== undefined && check.kind !== "version") await addTags(report, tagIds);
    return report;
  };
}
