import type { Anchor } from "../anchors/anchor.ts";
import { createPageBuilder } from "../anchors/page.ts";
import { readBlocks } from "../blocks/page-blocks.ts";
import { pathOfAddress } from "../paths.ts";
import type { TextSink } from "../text.ts";
import { anchorsOf } from "./anchors.ts";
import { type Comparison, compareBlocks } from "./compare-blocks.ts";

/** A page with the digests of its report's files, by path. */
export interface ComparedPage {
  readonly html: string;
  readonly path: string;
  readonly digests: Readonly<Record<string, string>>;
}

export interface PageComparison extends Comparison {
  /** Whether scripts draw most of either page. */
  readonly isDrawnByScripts: boolean;
  /** The place of each listed change in the newer page; null if a browser couldn't find it there. */
  readonly anchors: readonly (Anchor | null)[];
}

/** Returns what changed between two pages, as far as their files say. */
export function comparePages(before: ComparedPage, after: ComparedPage): PageComparison {
  const builder = createPageBuilder();
  const [olds, news] = [read(before), read(after, builder)];
  const isDrawnByScripts = olds.isDrawnByScripts || news.isDrawnByScripts;
  const { pairs, ...comparison } = compareBlocks(olds.blocks, news.blocks);
  const { path } = after;
  const anchors =
    comparison.changes.length === 0
      ? []
      : anchorsOf(comparison.changes, { blocks: news.blocks, pairs, page: builder.build(isDrawnByScripts), path });
  return { ...comparison, isDrawnByScripts, anchors };
}

const read = ({ html, path, digests }: ComparedPage, sink?: TextSink) =>
  readBlocks(
    html,
    (address) => {
      const file = pathOfAddress(path, address);
      return Object.hasOwn(digests, file) ? digests[file] : undefined;
    },
    sink,
  );
