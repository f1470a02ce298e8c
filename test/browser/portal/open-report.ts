import type { Page } from "playwright-core";
import { uniqueName } from "../../support/service.ts";
import type { VisitorOptions } from "./portal.ts";
import { type createReportScene, pageWith } from "./report-scene.ts";

interface Wanted extends Pick<VisitorOptions, "isSpoiled"> {
  visibility?: "public" | "private";
}

/** Opens a report with two versions as its publisher. */
export async function openReport(
  { service, act, visit }: ReturnType<typeof createReportScene>,
  { isSpoiled = false, ...overrides }: Wanted = {},
) {
  const user = await service.build.user();
  const name = uniqueName();
  const files = (heading: string) => ({ name, ...overrides, files: [pageWith(heading)] });
  const first = await act.publish(user.token, files("First"));
  const second = await act.publish(user.token, files("Second"));
  const page = await visit({
    email: user.email,
    path: `/r/${name}`,
    permissions: ["clipboard-read", "clipboard-write"],
    isSpoiled,
  });
  return { user, name, files, first, second, page };
}

/** Locates the panel beside the report. */
export const details = (page: Page) => page.getByRole("complementary", { name: "Details" });
