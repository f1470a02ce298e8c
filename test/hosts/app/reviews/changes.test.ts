import { beforeAll, expect } from "bun:test";
import { changesRoute } from "../../../../src/contract/reviews/changes.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { type Person, readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const changesCase = casesOf<typeof changesRoute>();

const page = (total: string) => [{ path: "index.html", content: `<h1>Sales</h1><p>Total: ${total} units</p>` }];

describeOneEngine("what changed", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const readers = readersOf(service);
  let owner: Person;
  let stranger: Person;

  beforeAll(async () => {
    owner = await readers.person();
    stranger = await readers.person();
  });

  /** Publishes three versions whose totals are 10, 10 and 25. */
  async function threeVersions() {
    const name = uniqueName();
    const codes: string[] = [];
    for (const total of ["10", "10", "25"]) {
      codes.push((await act.publish(owner.token, { name, files: page(total) })).code);
    }
    const [first = "", second = "", third = ""] = codes;
    return { name, first, second, third };
  }

  const request = (query: Record<string, string>, token = owner.token) => ({ token, query });

  testCases(() => service, changesRoute, [
    changesCase({
      name: "the current version and the one before",
      given: threeVersions,
      request: ({ name }) => request({ name }),
      status: 200,
      check({ from, to, summary, total, changes, rendered, markdown }, { second, third }) {
        expect({ from, to, summary, total, rendered, markdown }).toEqual({
          from: { code: second, version_no: 2 },
          to: { code: third, version_no: 3 },
          summary: "1 number",
          total: 1,
          rendered: false,
          markdown: undefined,
        });
        expect(changes).toMatchObject([
          { kind: "number", before: "10", after: "25", difference: 15, percentage: 150, headings: ["Sales"] },
        ]);
      },
    }),
    changesCase({
      name: "versions by number, as Markdown",
      given: threeVersions,
      request: ({ name }) => request({ name, from: "1", to: "3", format: "markdown" }),
      status: 200,
      check: ({ markdown }) => expect(markdown).toContain("`10` → `25` (+15, +150 %)"),
    }),
    changesCase({
      name: "versions by code that are the same",
      given: threeVersions,
      request: ({ second, first }) => request({ code: second, from: first }),
      status: 200,
      check: ({ summary, changes }) => expect({ summary, changes }).toEqual({ summary: "No changes", changes: [] }),
    }),
    changesCase({
      name: "the first version has none before it",
      given: threeVersions,
      request: ({ first }) => request({ code: first }),
      status: 404,
      error: "Version 1 has no earlier version to compare with. Specify from.",
    }),
    changesCase({
      name: "a number that no version has",
      given: threeVersions,
      request: ({ name }) => request({ name, from: "9" }),
      status: 404,
      error: "The report has no version 9. Check the number in from.",
    }),
    changesCase({
      name: "a number that no version can have",
      given: threeVersions,
      request: ({ name }) => request({ name, from: "0" }),
      status: 400,
      error: `from isn't a version number: "0".`,
    }),
    changesCase({
      name: "a page that doesn't exist",
      given: threeVersions,
      request: ({ name }) => request({ name, path: "other.html" }),
      status: 404,
    }),
    changesCase({
      name: "another person's report",
      given: threeVersions,
      request: ({ name }) => request({ name }, stranger.token),
      status: 404,
    }),
    changesCase({
      name: "another person's version as the older one",
      given: async () => {
        const { code } = await act.publish(stranger.token, { files: page("7") });
        return { ...(await threeVersions()), code };
      },
      request: ({ name, code }) => request({ name, from: code }),
      status: 404,
    }),
    changesCase({
      name: "neither name nor code",
      given: () => ({}),
      request: () => request({ from: "1" }),
      status: 400,
    }),
  ]);
});
