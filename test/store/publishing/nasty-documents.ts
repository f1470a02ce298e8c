import fc from "fast-check";
import { type DocumentFindings, toStorableFindings } from "../../../src/domain/publishing/publish.ts";
import { analyse } from "../../../src/html/warnings/analyse.ts";

/** Text that a database or a JSON parser may refuse: NUL, lone surrogates, control characters, quotes, escapes. */
const nastyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\0", "\ud800", "\udc00", "\u{1f600}", "&#0;", "&#xD800;", "\\u0000", "\\ud800", "\u0001", "%00"),
      fc.constantFrom("a", "/", "../", "b/", '\\"', "'", "\u2028", "é", "x".repeat(119)),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.join(""));

/** A piece of a document with nasty text in a place that titles or warnings quote. */
export const nastyMarkup = fc.tuple(fc.nat({ max: 8 }), nastyText).map(([shape, text]) => {
  const shapes = [
    `<title>${text}</title>`,
    `<img src="/${text}">`,
    `<img src='../${text}'>`,
    `<link rel=stylesheet href="b/${text}" integrity=x>`,
    `<svg><use href="c.svg#${text}"></svg>`,
    `<a href="https://example.org/${text}">x</a>`,
    `<style>p { background: url("/${text}") }</style>`,
    `<script>new Worker("/${text.replaceAll("\u2028", "")}")</script>`,
    text,
  ];
  return shapes[shape] ?? "";
});

/** What the analyzer finds in documents that quote nasty text, as passed to the store. */
export const nastyFindings: fc.Arbitrary<DocumentFindings> = fc
  .array(nastyMarkup, { maxLength: 5 })
  .map((pieces) => toStorableFindings(analyse(new Map([["index.html", pieces.join("\n")]]))));
