import { readBlocks } from "../blocks/page-blocks.ts";
import { resolvePath } from "../paths.ts";
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
}

/** Returns what changed between two pages, as far as their files say. */
export function comparePages(before: ComparedPage, after: ComparedPage): PageComparison {
  const [olds, news] = [read(before), read(after)];
  const isDrawnByScripts = olds.isDrawnByScripts || news.isDrawnByScripts;
  return { ...compareBlocks(olds.blocks, news.blocks), isDrawnByScripts };
}

const read = ({ html, path, digests }: ComparedPage) =>
  readBlocks(html, (address) => {
    const file = resolvePath(path, decoded(address.replace(/[?#].*$/s, "")));
    return Object.hasOwn(digests, file) ? digests[file] : undefined;
  });

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
