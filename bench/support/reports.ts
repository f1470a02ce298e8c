const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;color:#222}
table{border-collapse:collapse;width:100%}th,td{padding:.3rem .6rem;border-bottom:1px solid #ddd;text-align:right}
th:first-child,td:first-child{text-align:left}.up{color:#0a7a3c}.down{color:#b3261e}
@media (prefers-color-scheme:dark){body{background:#111;color:#eee}}`;

const SCRIPT = `for (const head of document.querySelectorAll("th")) head.addEventListener("click", () => {
  const rows = [...document.querySelectorAll("tbody tr")];
  const value = (row) => row.children[head.cellIndex].textContent;
  rows.sort((a, b) => value(a).localeCompare(value(b), undefined, { numeric: true }));
  document.querySelector("tbody").append(...rows);
});
try { document.body.classList.toggle("wide", localStorage.getItem("wide") === "1"); } catch {}`;

const WORDS =
  "revenue margin forecast region quarter churn cohort baseline variance segment target outlier median".split(" ");

/** Returns a generator of pseudo-random numbers that are the same in every run. */
function generator(seed: number): (bound: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % bound;
  };
}

/** Returns a typical report page with style, text, a table and a script, of exactly `size` bytes of ASCII. */
export function buildPage(size: number, seed = 0): string {
  const next = generator(seed + 1);
  const word = () => WORDS[next(WORDS.length)] ?? "";
  const sentence = () => `${Array.from({ length: 12 }, word).join(" ")}.`;
  const row = () =>
    `<tr><td>${word()} ${next(10_000)}</td><td>${next(1_000_000) / 100}</td><td class="${next(2) ? "up" : "down"}">${next(1000) / 10}%</td></tr>\n`;
  const head = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Weekly figures ${seed}</title><style>${STYLE}</style></head>
<body><h1>Weekly figures ${seed}</h1><p>${Array.from({ length: 8 }, sentence).join(" ")}</p>
<table><thead><tr><th>Name</th><th>Value</th><th>Change</th></tr></thead><tbody>\n`;
  const tail = `</tbody></table><script>${SCRIPT}</script><!--`;
  const end = "--></body></html>\n";
  let rows = "";
  const room = size - head.length - tail.length - end.length;
  for (let line = row(); rows.length + line.length <= room; line = row()) rows += line;
  return head + rows + tail + ".".repeat(room - rows.length) + end;
}

/** Returns script text of exactly `size` bytes without repetition. */
export function buildScript(size: number): string {
  const next = generator(7);
  const lines: string[] = [];
  for (let length = 0; length < size; ) {
    const line = `function f${lines.length}(a,b){return a*${next(100_000)}+b[${next(64)}]-${next(1_000_000)};}\n`;
    lines.push(line);
    length += line.length;
  }
  return lines
    .join("")
    .slice(0, size - 1)
    .concat("\n");
}
