import { FIXTURE_VERSIONS, openFixture } from "../../support/upgrade-fixture.ts";
import { describeInterrupted, failAt } from "./interrupted.ts";

for (const version of FIXTURE_VERSIONS) {
  const open = openFixture.bind(undefined, version);
  describeInterrupted(`an installation of ${version}`, open, { interrupt: failAt, trials: 6 });
}
