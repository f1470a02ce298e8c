import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { refreshAbout } from "../api/changes.ts";
import { ApiError } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { useThumbnails } from "../shared/thumbnails/context.ts";
import { buildBody, type Part, type Progress, type Published, sendUpload, type UploadDetails } from "./upload.ts";

/** Why nothing was published. */
export interface Refusal {
  kind: "name" | "signed-out" | "file" | "cancelled" | "other";
  message: string;
}

interface Publishing {
  /** Undefined until sending begins, and after a refusal. */
  progress: Progress | undefined;
  refusal: Refusal | undefined;
  isBusy(): boolean;
  /** Resolves to undefined if refused; unless the try is final, to "name-taken" for that reason. */
  publish(
    details: UploadDetails,
    read: () => Promise<readonly Part[]>,
    isFinal: boolean,
  ): Promise<Published | "name-taken" | undefined>;
  cancel(): void;
  forget(): void;
}

/** Publishes one report and reports the progress, also once it is published; unmounting cancels it. */
export function usePublish(owner: string): Publishing {
  const queries = useQueryClient();
  const thumbnails = useThumbnails();
  const [progress, setProgress] = useState<Progress>();
  const [refusal, setRefusal] = useState<Refusal>();
  const sending = useRef<AbortController>(undefined);
  useEffect(() => () => sending.current?.abort(), []);

  async function publish(
    details: UploadDetails,
    read: () => Promise<readonly Part[]>,
    isFinal: boolean,
  ): Promise<Published | "name-taken" | undefined> {
    if (sending.current !== undefined) return undefined;
    const controller = new AbortController();
    sending.current = controller;
    setRefusal(undefined);
    setProgress({ sent: 0, total: 0 });
    let isAllSent = false;
    let isSignedIn = true;
    try {
      const body = buildBody({ ...details, owner }, await read());
      const published = await sendUpload(body, {
        signal: controller.signal,
        onProgress(now) {
          isAllSent = now.sent === now.total;
          setProgress(now);
        },
      });
      thumbnails.make(published.code);
      return published;
    } catch (error) {
      setProgress(undefined);
      const refused = describeRefusal(error, controller.signal.aborted, isAllSent);
      if (refused.kind === "name" && !isFinal) return "name-taken";
      isSignedIn = refused.kind !== "signed-out";
      setRefusal(refused);
      return undefined;
    } finally {
      sending.current = undefined;
      // Also after a failure, which may follow success on the server. Refetching without a session would leave the
      // page.
      if (isSignedIn) void refreshShown();
    }
  }

  const refreshShown = () =>
    Promise.all([
      refreshAbout(queries, owner, ["items", "cabinet"]),
      queries.invalidateQueries({ queryKey: keys.account }),
    ]);

  return {
    progress,
    refusal,
    isBusy: () => sending.current !== undefined,
    publish,
    cancel: () => sending.current?.abort(),
    forget: () => setRefusal(undefined),
  };
}

function describeRefusal(error: unknown, isCancelled: boolean, isAllSent: boolean): Refusal {
  const perhaps =
    "The upload had finished, so the report may have been published. Check your reports before trying again.";
  if (isCancelled) {
    return {
      kind: "cancelled",
      message: isAllSent ? `Cancelled. ${perhaps}` : "Cancelled. The report wasn't published.",
    };
  }
  if (error instanceof ApiError) return refusalOf(error);
  if (error instanceof DOMException) {
    return {
      kind: "file",
      message: "A file can't be read because it was changed, moved or deleted. Remove it and add it again.",
    };
  }
  const message = isAllSent
    ? `The connection was lost. ${perhaps}`
    : "Couldn't reach the server, so the report wasn't published. Check your connection and try again.";
  return { kind: "other", message };
}

function refusalOf({ status, message }: ApiError): Refusal {
  if (status === 409) return { kind: "name", message };
  if (status === 401)
    return { kind: "signed-out", message: "You're no longer signed in. The report wasn't published." };
  return { kind: "other", message };
}
