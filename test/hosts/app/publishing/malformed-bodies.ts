import fc from "fast-check";
import { createFolderRoute, moveFolderRoute, setDefaultFolderRoute } from "../../../../src/contract/cabinet/cabinet.ts";
import { setFolderRoute } from "../../../../src/contract/cabinet/filing.ts";
import { fileItemsRoute, tagItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { addShortcutRoute } from "../../../../src/contract/cabinet/shortcuts.ts";
import { deleteTagRoute, moveTagRoute, renameTagRoute } from "../../../../src/contract/cabinet/tags.ts";
import type { Route } from "../../../../src/contract/model/route.ts";
import { setDisplayNameRoute } from "../../../../src/contract/people/account.ts";
import { endOtherSessionsRoute, endSessionRoute } from "../../../../src/contract/people/sessions.ts";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { deleteCodeRoute } from "../../../../src/contract/reports/delete-code.ts";
import { deleteGroupRoute, renameRoute, setLatestRoute } from "../../../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../../../src/contract/reports/visibility.ts";
import { createTokenRoute, revokeTokenRoute } from "../../../../src/contract/tokens/tokens.ts";
import { buildUpload } from "../../../support/service.ts";
import { files, nearly, oddText } from "../arbitraries.ts";

// Capitals stand for what is made anew for each run, so that a failing run can be shrunk.
const name = nearly(fc.constantFrom("MY-GROUP", "MY-GROUP", "THEIR-GROUP"));
const code = nearly(fc.constantFrom("MY-VERSION", "MY-CURRENT", "MY-REPORT", "THEIR-VERSION"));
const visibility = nearly(fc.constantFrom("public", "private", "org"));
const newName = nearly(fc.constantFrom("MY-GROUP", "THEIR-GROUP", "MY-GROUP-2"));
const label = nearly(oddText);
const owner = nearly(fc.constantFrom("MY-WORKSPACE", "MY-WORKSPACE", "THEIR-WORKSPACE"));
const folderId = nearly(fc.constantFrom("MY-FOLDER", null, "THEIR-FOLDER"));
const tagId = nearly(fc.constantFrom("MY-TAG", "MY-SUBTAG", "THEIR-TAG"));
const tagIds = nearly(fc.array(tagId, { maxLength: 3 }));
const items = nearly(fc.array(fc.oneof(fc.record({ name }), fc.record({ code })), { maxLength: 3 }));

interface Body {
  route: Route;
  /** Fields that go together. */
  forms: Record<string, fc.Arbitrary<unknown>>[];
  /** What is accepted, so that at least one is. */
  accepted: object;
}

/** Bodies that are nearly right, by the route that takes them. */
export const bodies: readonly Body[] = [
  {
    route: uploadRoute,
    forms: [
      {
        files: nearly(fc.oneof(fc.constant(buildUpload().files), files)),
        name: nearly(fc.constantFrom("MY-GROUP", "MY-GROUP-2", "THEIR-GROUP")),
        title: label,
        folder: label,
        visibility,
      },
    ],
    accepted: buildUpload(),
  },
  { route: renameRoute, forms: [{ name, newName }], accepted: { name: "MY-GROUP", newName: "MY-GROUP" } },
  { route: setLatestRoute, forms: [{ name, code }], accepted: { name: "MY-GROUP", code: "MY-VERSION" } },
  {
    route: setVisibilityRoute,
    forms: [
      { name, visibility },
      { code, visibility },
      { name, code, visibility },
    ],
    accepted: { name: "MY-GROUP", visibility: "public" },
  },
  {
    route: setFolderRoute,
    forms: [
      { name, folder: label },
      { code, folder: label },
      { name, code, folder: label },
    ],
    accepted: { code: "MY-REPORT", folder: "A" },
  },
  { route: deleteCodeRoute, forms: [{ code }], accepted: { code: "MY-REPORT" } },
  { route: deleteGroupRoute, forms: [{ name }], accepted: { name: "MY-GROUP" } },
  {
    route: createFolderRoute,
    forms: [{ owner, title: label, drawer_id: nearly(fc.constantFrom("MY-DRAWER", null)) }],
    accepted: { owner: "MY-WORKSPACE", title: "A", drawer_id: "MY-DRAWER" },
  },
  {
    route: moveFolderRoute,
    forms: [{ id: folderId, drawer_id: nearly(fc.constantFrom("MY-DRAWER", null)) }],
    accepted: { id: "MY-FOLDER", drawer_id: "MY-DRAWER" },
  },
  {
    route: setDefaultFolderRoute,
    forms: [{ owner, folder_id: folderId }],
    accepted: { owner: "MY-WORKSPACE", folder_id: "MY-FOLDER" },
  },
  { route: renameTagRoute, forms: [{ id: tagId, title: label }], accepted: { id: "MY-TAG", title: "B" } },
  { route: moveTagRoute, forms: [{ id: tagId, parent_id: tagId }], accepted: { id: "MY-SUBTAG", parent_id: null } },
  { route: deleteTagRoute, forms: [{ id: tagId }], accepted: { id: "MY-TAG" } },
  {
    route: fileItemsRoute,
    forms: [{ items, folder_id: folderId }],
    accepted: { items: [{ name: "MY-GROUP" }, { code: "MY-REPORT" }], folder_id: "MY-FOLDER" },
  },
  {
    route: tagItemsRoute,
    forms: [
      { items, add: tagIds },
      { items, remove: tagIds },
      { items, set: tagIds },
      { items, add: tagIds, set: tagIds },
    ],
    accepted: { items: [{ name: "MY-GROUP" }], set: ["MY-TAG", "MY-SUBTAG"] },
  },
  {
    route: addShortcutRoute,
    forms: [
      {
        owner,
        kind: nearly(fc.constantFrom("drawer", "folder", "tag", "group", "report")),
        ref: fc.oneof(tagId, folderId, name, code),
      },
    ],
    accepted: { owner: "MY-WORKSPACE", kind: "tag", ref: "MY-TAG" },
  },
  {
    route: setDisplayNameRoute,
    forms: [{ owner, display_name: label }],
    accepted: { owner: "MY-WORKSPACE", display_name: "Ada" },
  },
  {
    route: createTokenRoute,
    forms: [
      {
        owner,
        name: label,
        scopes: nearly(fc.array(nearly(fc.constantFrom("reports:read", "reports:delete")), { maxLength: 3 })),
        expires_in_days: nearly(fc.constantFrom(null, 1, 3650)),
      },
    ],
    accepted: { owner: "MY-WORKSPACE", name: "A", scopes: ["reports:read"], expires_in_days: 1 },
  },
  {
    route: revokeTokenRoute,
    forms: [{ id: nearly(fc.constantFrom("MY-TOKEN", "THEIR-TOKEN")) }],
    accepted: { id: "MY-TOKEN" },
  },
  {
    route: endSessionRoute,
    forms: [{ id: nearly(fc.constantFrom("MY-SESSION", "THEIR-SESSION")) }],
    accepted: { id: "MY-SESSION" },
  },
  { route: endOtherSessionsRoute, forms: [{}], accepted: {} },
];
