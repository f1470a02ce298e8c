import { expect, test } from "bun:test";
import { z } from "zod";
import { pythonUnavailable } from "../../python/support.ts";
import { describeIf } from "../../support/skip.ts";
import { resolvePair, writtenPairs } from "./pairs.ts";

const MODULES = ["pandas", "plotly", "matplotlib", "altair", "folium", "nbconvert"];
const SCRIPT = new URL("pages.py", import.meta.url).pathname;
const pairsOf = z.array(z.object({ name: z.string(), before: z.string(), after: z.string() }));

describeIf("anchors in reports", pythonUnavailable(...MODULES), () =>
  test("texts of reports that tools made of other data are found, at most one at a wrong place", () => {
    const { stdout } = Bun.spawnSync(["/usr/bin/python3", "-W", "ignore", SCRIPT]);
    const made = pairsOf.parse(JSON.parse(stdout.toString()));
    const pairs = [...made, ...[1, 2, 3].flatMap(writtenPairs)];
    const outcomes = pairs.map((pair) => ({ name: pair.name, ...resolvePair(pair) }));
    const sum = (field: "anchors" | "surviving" | "found") =>
      outcomes.reduce((total, outcome) => total + outcome[field], 0);
    console.table(outcomes.map(({ wrong, ...rest }) => ({ ...rest, wrong: wrong.length })));
    console.info(sum("anchors"), sum("surviving"), sum("found"), outcomes.flatMap(({ wrong }) => wrong).slice(0, 40));
    expect(pairs.length).toBeGreaterThanOrEqual(15);
    expect(sum("anchors")).toBeGreaterThanOrEqual(300);
    expect(outcomes.flatMap(({ wrong }) => wrong).length).toBeLessThanOrEqual(1);
    expect(sum("found") / sum("surviving")).toBeGreaterThanOrEqual(0.9);
  }),
);
