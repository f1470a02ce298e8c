import { describe, expect, test } from "bun:test";
import { type BarContent, barHtml } from "../../src/look/bar/markup.ts";

const HOSTILE = `</h1><script>alert(1)</script>"'&`;

const content = (overrides: Partial<BarContent> = {}): BarContent => ({
  title: "Weekly sales",
  publisher: { slug: "ada", name: undefined },
  versionNo: 3,
  createdAt: "2026-11-22T09:00:00.000Z",
  isLive: true,
  heading: "h1",
  ...overrides,
});

/** Returns the parts of a bar that a reader can use, by name, with their texts. */
function partsOf(html: string) {
  const parts = new Map<string, { tag: string; href: string | null; text: string }>();
  let last = "";
  new HTMLRewriter()
    .on("[data-part]", {
      element(element) {
        last = element.getAttribute("data-part") ?? "";
        parts.set(last, { tag: element.tagName, href: element.getAttribute("href"), text: "" });
      },
      text({ text }) {
        const part = parts.get(last);
        if (part) part.text += text;
      },
    })
    .transform(html);
  return parts;
}

describe("the reader's bar", () => {
  test("offers only what the reader may do", () => {
    const plain = partsOf(barHtml(content({ isLive: false })));
    for (const part of ["share", "portal", "version-link", "live", "news", "lost"]) expect(plain.has(part)).toBe(false);
    for (const part of ["version", "copy", "present", "older", "newer", "slider"]) expect(plain.has(part)).toBe(true);
    const full = partsOf(barHtml(content({ share: "/-/r/x?share=true", portalUrl: "/-/r/x", versionUrl: "/code/" })));
    expect(full.get("share")).toMatchObject({ tag: "a", href: "/-/r/x?share=true" });
    expect(full.get("portal")).toMatchObject({ tag: "a", href: "/-/r/x" });
    expect(full.get("version-link")).toMatchObject({ tag: "a", href: "/code/" });
    expect(full.has("live")).toBe(true);
    expect(partsOf(barHtml(content({ share: true }))).get("share")).toMatchObject({ tag: "button", href: null });
  });

  test("has a title to press and a place for more controls only in pages that ask for them", () => {
    const plain = partsOf(barHtml(content()));
    expect(plain.get("title")).toMatchObject({ tag: "h1", text: "Weekly sales" });
    expect(plain.has("slot")).toBe(false);
    const portal = partsOf(barHtml(content({ canEditTitle: true, hasSlot: true })));
    expect(portal.get("title")).toMatchObject({ tag: "button", text: "Weekly sales" });
    expect(portal.has("slot")).toBe(true);
  });

  test("offers no other versions of a first version", () => {
    const isHidden = (html: string, part: string) => new RegExp(`data-part="${part}"[^>]* hidden`).test(html);
    expect(isHidden(barHtml(content({ versionNo: 1 })), "older")).toBe(true);
    expect(isHidden(barHtml(content({ versionNo: 2 })), "older")).toBe(false);
  });

  test("shows titles and names as text, and always the slug", () => {
    const html = barHtml(content({ title: HOSTILE, publisher: { slug: "ada", name: HOSTILE } }));
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;/h1&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
    expect(html).toContain('<span class="handle">@ada</span>');
    expect(html).toContain("<span>Report by @ada</span>");
    expect(html).toContain("Vitrine never asks for your password inside a report");
  });
});
