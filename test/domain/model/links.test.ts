import { expect, test } from "bun:test";
import fc from "fast-check";
import { livePath, parseLivePath } from "../../../src/domain/model/links.ts";
import { CODE_PATTERN, REPORT_NAME_PATTERN, SLUG_PATTERN } from "../../../src/domain/model/names.ts";

const anyLink = fc.record({
  name: fc.stringMatching(REPORT_NAME_PATTERN),
  ownerSlug: fc.option(fc.stringMatching(SLUG_PATTERN), { nil: undefined }),
});

test("a live link's path is read back as it was built", () => {
  fc.assert(
    fc.property(anyLink, fc.stringMatching(/^[^/]*$/), (link, part) => {
      const path = livePath(link);
      expect(parseLivePath(path)).toEqual({ ...link, part: "" });
      expect(parseLivePath(path + part)).toEqual({ ...link, part });
      expect(parseLivePath(path.slice(0, -1))).toEqual({ ...link, part: undefined });
    }),
  );
});

test.each(["/", "/@", "/@ada", "/@ada/", "/@/x/", "/NAME/", "/@ada/NAME/", "/@ADA/x/", "/x/y/z", "/-/x", "x", "/x\n"])(
  "%j is no live link",
  (path) => expect(parseLivePath(path)).toBeUndefined(),
);

test("a version's code is no live link", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9A-Za-z]{16}$/), (code) => {
      fc.pre(CODE_PATTERN.test(code));
      expect(parseLivePath(`/${code}/`)).toBeUndefined();
    }),
  );
});
