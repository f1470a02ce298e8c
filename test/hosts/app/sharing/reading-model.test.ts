import { expect, test } from "bun:test";
import { describeOneEngine } from "../../../support/engines.ts";
import { askRandomly, useScene } from "./reading/questions.ts";

const QUESTIONS = 250;

describeOneEngine("who may read what", (engine) => {
  const shared = useScene(engine);

  test(`${QUESTIONS} random questions at every door have the answer of the model`, async () => {
    expect((await askRandomly(shared.scene, 1, { most: QUESTIONS, perChange: 25 })).wrong).toEqual([]);
  });
});
