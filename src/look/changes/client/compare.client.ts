import { readBlocks } from "../../../html/blocks/page-blocks.ts";
import { compareLines } from "../../../html/changes/compare-lines.ts";
import { comparePages } from "../../../html/changes/compare-pages.ts";
import type { Answers, Question, Questions } from "./ask-comparer.ts";
import { comparePixels } from "./compare-pixels.ts";

const PATH = "index.html";

/** Returns digests that say only which files differ. */
const digestsOf = (paths: readonly string[], which: string) => Object.fromEntries(paths.map((path) => [path, which]));

const ANSWER: { [Kind in keyof Questions]: (asked: Questions[Kind]) => Answers[Kind] | Promise<Answers[Kind]> } = {
  pages({ before, after, changedFiles }) {
    const { summary, changes, anchors, isCut } = comparePages(
      { html: before, path: PATH, digests: digestsOf(changedFiles, "before") },
      { html: after, path: PATH, digests: digestsOf(changedFiles, "after") },
    );
    return { summary, changes, anchors, isCut };
  },
  addresses({ before, after, places }) {
    const [olds, news] = [readBlocks(before).blocks, readBlocks(after).blocks];
    const addressOf = (blocks: typeof olds, index: number) => {
      const block = blocks[index];
      return block?.kind === "image" ? block.address : undefined;
    };
    return places.map((place) => ({
      before: addressOf(olds, place.before),
      after: addressOf(news, place.after),
    }));
  },
  pixels: comparePixels,
  lines: ({ before, after }) => compareLines(before, after),
};

const answer = async <Kind extends keyof Questions>({ kind, asked }: Question<Kind>): Promise<Answers[Kind]> =>
  ANSWER[kind](asked);

addEventListener("message", async ({ data }: MessageEvent<Question<keyof Questions>>) => {
  postMessage(await answer(data));
});
