import { describe, expect, test } from "bun:test";
import type { AuditEntryView } from "../../src/contract/audit/audit.ts";
import { describeExactTime } from "../../src/look/time.ts";
import { describeDetails } from "../../src/portal/audit/words.ts";

const NOON = Date.UTC(2026, 11, 29, 12);

describe("the details of an entry of the audit log", () => {
  test.each<[string, AuditEntryView["details"], string[]]>([
    ["a change", { from: "private", to: "public" }, ["private → public"]],
    ["a change from nothing", { from: null, to: "Sales" }, ["none → Sales"]],
    ["several values", { added: ["a@example.org", "b@example.org"] }, ["added: a@example.org, b@example.org"]],
    ["a name of several words", { embed_origins: ["https://a.org"] }, ["embed origins: https://a.org"]],
    ["one version", { added: ["a@example.org"], is_version: true }, ["added: a@example.org", "only one version"]],
    ["all versions, which goes without saying", { is_version: false }, []],
    ["a name as it was once recorded", { isVersion: true, isRequested: true }, ["only one version", "as requested"]],
    ["a deletion that can be undone", { versions: 2, trash: true }, ["versions: 2", "to the trash"]],
    ["a deletion for good", { trash: false }, ["permanently"]],
    ["other truths", { comments: true }, ["comments: yes"]],
    ["a date", { expires_at: new Date(NOON).toISOString() }, [`expires: ${describeExactTime(NOON)}`]],
    [
      "one of several changes",
      { label: "A", from_label: "A", comments: true, from_comments: false },
      ["comments: no → yes"],
    ],
    ["a value that there wasn't before", { label: "A", from_label: null }, ["label: none → A"]],
    ["what only programs need", { link: "lnk_1", user_agent: "curl", label: null }, []],
  ])("says %s in words", (_, details, expected) => {
    expect(describeDetails({ details })).toEqual(expected);
  });
});
