import type { ReactNode, RefObject } from "react";
import { referenceText } from "../../api/references.ts";
import { lazyPart } from "../../shared/lazy-part.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import type { Item } from "../types.ts";
import { useDialogs } from "../use-dialogs.ts";

const ShareDialog = lazyPart(async () => (await import("../../sharing/share-dialog.tsx")).ShareDialog);

interface Share {
  /** For the button, which gets the focus back. */
  trigger: RefObject<HTMLButtonElement | null>;
  share(): void;
  dialog: ReactNode;
}

/** Returns what a Share button needs. */
export function useShare(item: Item): Share {
  const { trigger, dismiss, name, open } = useDialogs<"share">();
  const dialog = (
    <PartBoundary onDismiss={dismiss}>
      {name === "share" && <ShareDialog reference={referenceText(item)} onClose={dismiss} />}
    </PartBoundary>
  );
  return { trigger, share: () => open("share"), dialog };
}
