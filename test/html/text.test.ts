import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createPageText } from "../../src/html/page-text.ts";
import { createTextExtractor } from "../../src/html/text.ts";

function extract(...pieces: string[]): string {
  let text = "";
  const extractor = createTextExtractor(
    createPageText((more) => {
      text += more;
    }),
  );
  for (const piece of pieces) extractor.push(piece);
  extractor.end();
  return text;
}

const PAGE = `<!doctype html><html><head><title>No</title><style>p{}</style><script>if (a < b) "</p>"</script></head>
<body><!-- no <p>comment</p> --><h1>Sales &amp;  more</h1><p class="a>b" title='<i>'>One <b>two</b>,
three&nbsp;4 &lt; 5</p><ul><li>a<li>b</ul><table><tr><th>x</th><th>y</th></tr><tr><td>1<td>2</table>
<pre>  kept
 so</pre>a<br>b<SCRIPT src="x"></SCRIPT ><p>1 < 2 & 3</body>`;
const TEXT = "# Sales & more\n\nOne two, three 4 < 5\n\n- a\n- b\n\nx | y\n1 | 2\n\n  kept\n so\n\na\nb\n\n1 < 2 & 3";

describe("the text of a page", () => {
  test("contains what people read, with its headings, list items and cells", () => {
    expect(extract(PAGE)).toBe(TEXT);
  });

  test.each([
    ["hidden", "<p hidden>No</p>"],
    ["display none", '<p style="display:none">No</p>'],
    [
      "display none among other declarations, important",
      '<p style="color: red; DISPLAY : none !important; top:0">No</p>',
    ],
    ["visibility hidden", '<p style="visibility:hidden"><b>No</b></p>'],
    ["fully transparent", '<p style="opacity:0">No</p>'],
    ["of size zero", '<p style="font-size:0px">No</p>'],
    ["below a hidden element", "<div hidden><p>No<ul><li>No</ul><br></div>"],
    ["a closed dialog", "<dialog>No</dialog>"],
    ["a template", "<template><p>No</p></template>"],
    ["in noscript", "<noscript>No</noscript>"],
    ["hidden, with another in it", "<div hidden><div>No</div>No</div>"],
    ["hidden, with an open one in it", "<div hidden><p>No<b>No</div>"],
    ["hidden, with stray end tags in it", "<p hidden>No</i></section>No</p>"],
    ["a hidden list item that its list ends", "<ul><li hidden>No</ul>"],
    ["a hidden paragraph that the next one ends", "<p hidden>No<p>"],
    ["a hidden cell", "<table><tr><td hidden>No<td></table>"],
    ["hidden by a style with entities", '<p style="display&#58;none">No</p>'],
    ["hidden by a style that begins with an entity", '<p style="&#100;isplay&#58;none">No</p>'],
    ["split by entities", "<p hidden>N&#111; n&amp;o</p>"],
  ])("leaves out what is %s", (_, html) => {
    expect(extract(`<p>Before</p>${html}<p>After`)).toBe("Before\n\nAfter");
  });

  test.each([
    ["nearly transparent", '<p style="opacity:0.5">Yes</p>'],
    ["small", '<p style="font-size:0.8em">Yes</p>'],
    ["hidden from a screen reader", '<p aria-hidden="true">Yes</p>'],
    ["of a style that only looks similar", '<p style="backdisplay:none;x-visibility:hidden">Yes</p>'],
    ["in an open dialog", "<dialog open>Yes</dialog>"],
    ["in details", "<details><p>Yes</p></details>"],
  ])("keeps what is %s", (_, html) => {
    expect(extract(`<p>Before</p>${html}<p>After`)).toBe("Before\n\nYes\n\nAfter");
  });

  test("is the same for any chunking of the page", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(PAGE.length), { maxLength: 8 }), (cuts) => {
        const edges = [0, ...cuts.toSorted((one, other) => one - other), PAGE.length];
        expect(extract(...edges.slice(1).map((edge, index) => PAGE.slice(edges[index], edge)))).toBe(TEXT);
      }),
    );
  });

  test("can be extracted from any input", () => {
    const bits = fc.constantFrom("<", ">", "/", "!", "--", "a", "script", '"', "'", "=", "&", "amp;", " ", "\n", "td");
    fc.assert(
      fc.property(fc.array(bits), fc.nat(), (parts, cut) => {
        const html = parts.join("");
        const at = cut % (html.length + 1);
        expect(extract(html.slice(0, at), html.slice(at))).toBe(extract(html));
      }),
    );
  });
});
