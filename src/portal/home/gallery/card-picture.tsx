import { useRef, useState } from "react";
import { PICTURE_SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { useFrameProbe } from "../../shared/frame-probe/use-frame-probe.ts";
import { useThumbnailTaking } from "../../shared/thumbnails/use-thumbnail-taking.ts";
import type { Item } from "../slots.ts";
import styles from "./gallery.module.css";

/** Viewport of a report in a card, in pixels. */
const FRAME_WIDTH = 1280;
const FRAME_HEIGHT = 800;

interface CardPictureProps {
  item: Item;
  /** In pixels. */
  width: number;
  /** The address of a frame that shows the report live; undefined without one. */
  frameSource: string | undefined;
}

/** A report's thumbnail or a placeholder, and the live report over it. */
export function CardPicture({ item, width, frameSource }: CardPictureProps) {
  const [failed, setFailed] = useState<string>();
  const { thumbnail_url: thumbnail } = item;
  // A new version has another thumbnail.
  const source = thumbnail === null || thumbnail === failed ? undefined : thumbnail;
  return (
    <div className={styles.thumbnail} aria-hidden>
      {source === undefined ? (
        <span className={styles.initial}>{[...item.title][0]?.toLocaleUpperCase()}</span>
      ) : (
        <img
          key={source}
          src={source}
          alt=""
          width={640}
          height={400}
          loading="lazy"
          decoding="async"
          draggable={false}
          className={styles.picture}
          onError={() => setFailed(source)}
        />
      )}
      {frameSource !== undefined && (
        <LiveReport key={item.code} item={item} source={frameSource} scale={width / FRAME_WIDTH} />
      )}
    </div>
  );
}

/** The report itself, scaled down, without interaction. Appears when it is loaded, and completes the thumbnails. */
function LiveReport({ item, source, scale }: { item: Item; source: string; scale: number }) {
  // Another address for the same report would reload it.
  const [src] = useState(source);
  const [isLoaded, setLoaded] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  useThumbnailTaking(useFrameProbe(frame), { code: item.code, isWanted: item.thumbnail_url === null });
  return (
    <iframe
      ref={frame}
      src={src}
      title="Preview"
      sandbox={PICTURE_SANDBOX_TOKENS}
      inert
      aria-hidden
      tabIndex={-1}
      data-loaded={isLoaded || undefined}
      className={styles.frame}
      style={{ width: FRAME_WIDTH, height: FRAME_HEIGHT, transform: `scale(${scale})` }}
      onLoad={() => setLoaded(true)}
    />
  );
}
