/** A document that is expensive to read for a careless analysis. */
export interface WorstDocument {
  name: string;
  /** Returns files of about `size` characters in total. */
  make(size: number): Readonly<Record<string, string>>;
}

const repeated = (unit: string, size: number) => unit.repeat(Math.max(1, Math.floor(size / unit.length)));
const nested = (open: string, close: string, size: number, core = "a") =>
  open.repeat(Math.floor(size / (open.length + close.length))) +
  core +
  close.repeat(Math.floor(size / (open.length + close.length)));
function numbered(make: (number: number) => string, size: number): string {
  const parts: string[] = [];
  for (let length = 0, number = 0; length < size; number++) {
    const part = make(number);
    parts.push(part);
    length += part.length;
  }
  return parts.join("");
}

const html = (name: string, build: (size: number) => string): WorstDocument => ({
  name: `HTML: ${name}`,
  make: (size) => ({ "index.html": build(size) }),
});
const css = (name: string, build: (size: number) => string): WorstDocument => ({
  name: `CSS: ${name}`,
  make: (size) => ({ "index.html": "<p>", "a.css": build(size) }),
});
/** Uses storage at the end, so that it has to be read. */
const js = (name: string, build: (size: number) => string): WorstDocument => ({
  name: `script: ${name}`,
  make: (size) => ({ "index.html": "<p>", "a.js": `${build(size)};localStorage.a` }),
});

/** The worst uploads we could think of. */
export const WORST_DOCUMENTS: readonly WorstDocument[] = [
  html("elements in elements", (size) => nested("<div>", "</div>", size)),
  html("one element of many attributes", (size) => `<p ${numbered((n) => `a${n}=b `, size)}>`),
  html("one element of many handlers", (size) => `<p ${repeated("onclick=localStorage.a ", size)}>`),
  html("handlers that differ", (size) => numbered((n) => `<b onclick="localStorage.a${n}">`, size)),
  html("comments that are not closed", (size) => repeated("<!-- ", size)),
  html("comments that seem to end", (size) => `<!--${repeated("--!", size)}`),
  html("tags that are not closed", (size) => repeated("<a href=", size)),
  html("quotes that are not closed", (size) => repeated("<a title='\"", size)),
  html("titles", (size) => repeated("<title></title>", size)),
  html("a title of entities", (size) => `<title>${repeated("&amp;&#x41;&nosuch", size)}</title>`),
  html("attributes of entities", (size) => `<img src="${repeated("&amp;&#65;", size)}">`),
  html("many scripts", (size) => repeated("<script>localStorage.a</script>", size)),
  html("scripts in scripts", (size) => repeated("<script><!--<script></script>", size)),
  html("scripts that are not closed", (size) => repeated("<script>localStorage.a<!--", size)),
  html("styles", (size) => repeated("<style>@import 'a';</style>", size)),
  html("style attributes", (size) => repeated("<p style='a:url(b)'>", size)),
  html("a srcset of many", (size) => `<img srcset="${numbered((n) => `${n}.png ${n}x, `, size)}">`),
  html("a srcset of commas", (size) => `<img srcset="a${repeated(",", size)}">`),
  html("many srcsets", (size) => repeated("<img srcset='a,,,, 1x,b'>", size)),
  html("data: URLs", (size) => repeated(`<img src="data:image/png;base64,AAAA">`, size)),
  html("one data: URL", (size) => `<img src="data:image/png;base64,${repeated("A", size)}">`),
  html("a data: script", (size) => `<script src="data:text/javascript,${repeated("localStorage.a;", size)}"></script>`),
  html("data: scripts", (size) => repeated(`<script src="data:,localStorage.a"></script>`, size)),
  html("pages in pages", (size) => `<iframe srcdoc="${repeated("<iframe srcdoc='<p>'>", size)}"></iframe>`),
  html("pages beside pages", (size) => repeated(`<iframe srcdoc="<img src=a>"></iframe>`, size)),
  html("forms", (size) => repeated("<form action=a><button>", size)),
  html("links", (size) => numbered((n) => `<a href=//a.org/${n}>`, size)),
  html("references that are absent", (size) => numbered((n) => `<img src=${n}.png>\n`, size)),
  html("references with dots", (size) =>
    `<img src="${repeated("a/../", Math.min(size, 1_900))}">`.repeat(size / 2_000),
  ),
  html("svg in svg", (size) => nested("<svg>", "</svg>", size)),
  html("templates in templates", (size) => nested("<template>", "</template>", size)),
  html("opening brackets", (size) => repeated("<", size)),
  css("urls", (size) => numbered((n) => `a{b:url(${n}.png)}\n`, size)),
  css("imports", (size) => numbered((n) => `@import "${n}.css";`, size)),
  css("comments that are not closed", (size) => repeated("/* url(", size)),
  css("texts that are not closed", (size) => repeated("url('\\", size)),
  css("escapes", (size) => `a{b:url(${repeated("\\61 ", size)})}`),
  js("blocks in blocks", (size) => nested("{", "}", size)),
  js("parentheses in parentheses", (size) => nested("(", ")", size)),
  js("lists in lists", (size) => nested("[", "]", size)),
  js("patterns with defaults", (size) => nested("[", "=1]", size)),
  js("arrow functions in arrow functions", (size) => repeated("a=>", size).concat("a")),
  js("functions in functions", (size) => nested("(function(){", "})()", size)),
  js("templates in templates", (size) => nested("`${", "}`", size)),
  js("templates that are not closed", (size) => repeated("`${", size)),
  js("what looks like regular expressions", (size) => repeated("a=b/c/d;/[/]/.e;", size)),
  js("a regular expression of groups", (size) => `/${repeated("(?<a>)|", size)}/`),
  js("a chain of operators", (size) => `${repeated("a+", size)}a`),
  js("a chain of conditions", (size) => `${repeated("if(a)b;else ", size)}c`),
  js("a chain of calls", (size) => `a${repeated(".b()", size)}`),
  js("declarations", (size) => numbered((n) => `let a${n};`, size)),
  js("labels", (size) => numbered((n) => `a${n}:`, size)),
  js("uses", (size) => repeated("localStorage.a;", size)),
  js("uses in functions of one name", (size) => repeated("function f(){localStorage.a}f();", size)),
  js("uses in functions that call each other", (size) =>
    numbered((n) => `function f${n}(){localStorage.a;f${n + 1}()}`, size),
  ),
  js("tries after tries", (size) => repeated("try{localStorage.a}catch(e){throw e}", size)),
  js("conditions around uses", (size) => nested("a&&(localStorage.b,", ")", size)),
  js("a minified bundle", (size) => numbered((n) => `!function(e,t){var n=t(${n});e.exports={a:n,b:n+1}}(m,r);`, size)),
  js("imports", (size) => numbered((n) => `import("./${n}.mjs");`, size)),
  js("braces before uses", (size) => repeated("}{localStorage.a}{", size)),
];
