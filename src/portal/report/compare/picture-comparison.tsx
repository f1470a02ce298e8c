import { Skeleton } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type RefCallback, useCallback } from "react";
import type { PixelComparison } from "../../../look/changes/client/compare-pixels.ts";
import { describeShare } from "../../shared/amounts.ts";
import classes from "./picture-comparison.module.css";
import { type PicturePair, pixelsQuery } from "./picture-queries.ts";

/** Shows two versions of a picture and where they differ, as soon as it is scrolled into view. */
export function PictureComparison({ pair }: { pair: PicturePair }) {
  const { ref, entry } = useIntersection();
  const { data, error } = useQuery({ ...pixelsQuery(pair), enabled: entry?.isIntersecting === true });
  if (data === null || error !== null) return <p className={classes.note}>These pictures can't be compared here.</p>;
  return (
    <div ref={ref} className={classes.comparison}>
      {data === undefined ? (
        <Skeleton height={160} role="status" aria-label="Comparing" />
      ) : (
        <>
          <p className={classes.note}>{describe(data)}</p>
          <Picture bitmap={data.before} label="Before" />
          <Picture bitmap={data.after} label="After" />
          {data.difference !== undefined && data.share !== 0 && <Picture bitmap={data.difference} label="Difference" />}
        </>
      )}
    </div>
  );
}

function Picture({ bitmap, label }: { bitmap: ImageBitmap; label: string }) {
  const draw: RefCallback<HTMLCanvasElement> = useCallback(
    (canvas) => canvas?.getContext("2d")?.drawImage(bitmap, 0, 0),
    [bitmap],
  );
  return (
    <figure className={classes.picture}>
      <figcaption>{label}</figcaption>
      <canvas ref={draw} width={bitmap.width} height={bitmap.height} role="img" aria-label={label} />
    </figure>
  );
}

function describe({ before, after, share }: PixelComparison): string {
  if (share === undefined) return `${sizeOf(before)} pixels before, ${sizeOf(after)} now`;
  return share === 0 ? "Both look the same." : `${describeShare(share)} of the pixels differ`;
}

const sizeOf = ({ width, height }: ImageBitmap): string => `${width} × ${height}`;
