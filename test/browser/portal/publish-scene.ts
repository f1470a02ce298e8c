import type { Page } from "playwright-core";
import { useBrowser } from "../../support/chromium.ts";
import { type Service, useService } from "../../support/service.ts";
import { openPortal } from "./portal.ts";

type User = Awaited<ReturnType<Service["build"]["user"]>>;

/** Creates a service, and browsers in which users open its publish page, or another one. */
export function createPublishScene() {
  const service = useService();
  const browser = useBrowser();

  const open = async (options: { user?: User; path?: (slug: string) => string; width?: number } = {}) => {
    const user = options.user ?? (await service.build.user());
    const path = (options.path ?? ((slug) => `/w/${slug}/publish`))(user.slug);
    const viewport = { width: options.width ?? 1440, height: 900 };
    const visitor = await openPortal(browser, service, user.email, { path, viewport });
    return { ...visitor, user, [Symbol.asyncDispose]: () => visitor[Symbol.asyncDispose]() };
  };

  return { service, browser, open };
}

export const publishButton = (page: Page) => page.getByRole("main").getByRole("button", { name: /^Publish/ });
export const nameField = (page: Page) => page.getByRole("textbox", { name: "Name" });
