import { expect, test } from "bun:test";
import { describeEachEngine } from "../../../support/engines.ts";
import { runsOf } from "../../../support/runs.ts";
import { askRandomly, useScene } from "./reading/questions.ts";

const QUESTIONS = runsOf(100_000);
/** Enough to ask at every door after each change, and few enough that there are 1,000 changes. */
const PER_CHANGE = 100;
const MINUTES = 60_000;

describeEachEngine("who may read what", (engine) => {
  const shared = useScene(engine);

  test(
    `${QUESTIONS} random questions at every door have the answer of the model`,
    async () => {
      const seed = Date.now() % 1_000_000;
      const startedAt = performance.now();
      const { questions, byDoor, wrong } = await askRandomly(shared.scene, seed, {
        most: QUESTIONS,
        perChange: PER_CHANGE,
      });
      const seconds = (performance.now() - startedAt) / 1_000;
      console.info(
        `${engine}, seed ${seed}: ${questions} questions, ${Math.round(questions / seconds)} a second, ${wrong.length} wrong`,
      );
      console.info(byDoor);
      const firstAtEachDoor = Map.groupBy(wrong, (mistake) => mistake.split(",", 1)[0]).values();
      expect([...firstAtEachDoor].map(([first]) => first)).toEqual([]);
    },
    60 * MINUTES,
  );
});
