/** The look of the few pages that the hosts write themselves. */
const STYLE = `:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--ground:#fcfcfd;--line:#d9d9e0;--accent:#0b6e66}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;--ground:#111113;--line:#363a3f;--accent:#53b9ab}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,34rem);
place-content:center;padding:1.5rem;
font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}p{margin:0 0 1rem;color:var(--soft)}
a{color:var(--accent)}code{overflow-wrap:anywhere}code,pre{font:.875rem/1.5 ui-monospace,monospace}
pre{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;overflow-x:auto;color:var(--ink)}`;

/** A whole page in the service's look. `body` is HTML. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Vitrine</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>
`;
}

/** The same page for what never existed, what was deleted, and what the reader may not see. */
export const notFoundPage = () =>
  page(
    "Nothing to see here",
    "<p>There is no report at this address, or it is not shared with you. Check the link, or ask whoever sent it.</p>",
  );

/** Allows the page's own style and nothing else. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
