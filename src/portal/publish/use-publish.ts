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

interface Order {
  details(): Promise<UploadDetails>;
  /** Resolves to details with another name, for a name that is taken; undefined if no other name will do. */
  renamed: (() => Promise<UploadDetails>) | undefined;
  read(): Promise<readonly Part[]>;
}

interface Publishing {
  /** Undefined until sending begins, and after a refusal. */
  progress: Progress | undefined;
  refusal: Refusal | undefined;
  isBusy(): boolean;
  /** Resolves to undefined if refused. */
  publish(order: Order): Promise<Published | undefined>;
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

  async function publish({ details, renamed, read }: Order): Promise<Published | undefined> {
    if (sending.current !== undefined) return undefined;
    const controller = new AbortController();
    sending.current = controller;
    setRefusal(undefined);
    setProgress({ sent: 0, total: 0 });
    let isAllSent = false;
    let isSignedIn = true;
    async function send(wanted: UploadDetails): Promise<Published> {
      const body = buildBody({ ...wanted, owner }, await read());
      return sendUpload(body, {
        signal: controller.signal,
        onProgress(now) {
          isAllSent = now.sent === now.total;
          setProgress(now);
        },
      });
    }
    try {
      const published = await send(await details()).catch(async (error: unknown) => {
        if (renamed === undefined || !isNameTaken(error)) throw error;
        isAllSent = false;
        return send(await renamed());
      });
      thumbnails.make(published.code);
      return published;
    } catch (error) {
      setProgress(undefined);
      const refused = describeRefusal(error, controller.signal.aborted, isAllSent);
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

const isNameTaken = (error: unknown) => error instanceof ApiError && error.status === 409;

function refusalOf(error: ApiError): Refusal {
  const { status, message } = error;
  if (isNameTaken(error)) return { kind: "name", message };
  if (status === 401)
    return { kind: "signed-out", message: "You're no longer signed in. The report wasn't published." };
  return { kind: "other", message };
}
