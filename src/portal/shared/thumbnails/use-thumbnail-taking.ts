import { useEffect } from "react";
import type { FrameProbe } from "../frame-probe/use-frame-probe.ts";
import { useThumbnails } from "./context.ts";
import { saveThumbnail, THUMBNAIL_SIZE } from "./save-thumbnail.ts";

interface Taking {
  code: string;
  /** Whether the version has no thumbnail yet. */
  isWanted: boolean;
  /** Called when the thumbnail is saved, or can't be taken. */
  onDone?(): void;
}

/**
 * Saves a picture of the framed version as its thumbnail once the page has settled and shows something. Members who see it in
 * the portal may publish to it; from others, the server refuses the picture.
 */
export function useThumbnailTaking({ findings, takePicture }: FrameProbe, { code, isWanted, onDone }: Taking): void {
  const { claim, release } = useThumbnails();
  const { isBlank } = findings;
  useEffect(() => {
    if (!isWanted || isBlank === undefined) return;
    if (isBlank || !claim(code)) {
      onDone?.();
      return;
    }
    let isTaking = true;
    const take = async () => {
      const pixels = await takePicture(THUMBNAIL_SIZE);
      if (!isTaking) return;
      isTaking = false;
      if (pixels !== undefined) await saveThumbnail(code, pixels);
      onDone?.();
    };
    void take();
    return () => {
      if (isTaking) release(code);
      isTaking = false;
    };
  }, [isWanted, isBlank, code, claim, release, takePicture, onDone]);
}
