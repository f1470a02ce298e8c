import { describeInterrupted, failAt } from "./interrupted.ts";
import { FIXTURE_VERSIONS, openFixture } from "./upgrade-fixture.ts";

for (const version of FIXTURE_VERSIONS) {
  const open = openFixture.bind(undefined, version);
  describeInterrupted(`an installation of ${version}`, open, { interrupt: failAt, trials: 6 });
}
