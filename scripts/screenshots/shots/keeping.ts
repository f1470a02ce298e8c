import { click, inOrder, type Shot, shows } from "./shot.ts";

export const KEEPING: readonly Shot[] = [
  { name: "inbox", path: "/-/inbox", act: shows("Are returns of week 44") },
  { name: "trash", path: "/-/w/ada/trash" },
  { name: "trash-empty", path: "/-/w/team/trash" },
  { name: "trash-selected", path: "/-/w/ada/trash", act: (page) => page.getByRole("checkbox").first().check() },
  { name: "trash-confirm", path: "/-/w/ada/trash", act: inOrder(click("Empty trash"), shows("Empty the trash?")) },
  { name: "shared-with-me", path: "/-/shared" },
  { name: "requests", path: "/-/requests" },
  { name: "request-access", path: "/-/request-access?name=grace-notes" },
];
