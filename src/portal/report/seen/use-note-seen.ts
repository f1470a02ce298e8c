import { useEffect } from "react";
import { noteSeenRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { useWorkspace } from "../../shared/use-account.ts";
import type { Report } from "../types.ts";

/** Tells the server that the user sees a version, if the report's workspace records that. */
export function useNoteSeen({ code, owner_slug: owner }: Pick<Report, "code" | "owner_slug">, isShown: boolean): void {
  const isRecorded = (useWorkspace(owner)?.seen_by ?? "off") !== "off";
  useEffect(() => {
    // A view that isn't counted doesn't concern those who look at the report.
    if (isShown && isRecorded) api.call(noteSeenRoute, { body: { code } }).catch(() => undefined);
  }, [code, isShown, isRecorded]);
}
