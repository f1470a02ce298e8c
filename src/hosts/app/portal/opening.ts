import { MARK_ELEMENT } from "../../../look/mark.ts";

/**
 * Shows the outline of the portal until its script draws the actual one. The script's styles come after it, so that they
 * don't delay it.
 */
export const OPENING_STYLE = `#opening{position:fixed;inset:0;overflow:hidden;background:var(--ground)}
body:has(>#portal>:not(style)) #opening{display:none}
#opening *{box-sizing:border-box}
#opening i{display:block;height:12px;border-radius:6px;background:var(--press)}
#opening header{display:flex;align-items:center;gap:16px;height:var(--header);padding:0 16px}
#opening header i{flex:1;height:32px;max-width:640px;margin-right:auto;border-radius:var(--radius-md)}
#opening nav{position:fixed;inset:var(--header) auto 0 0;width:var(--sidebar);padding:16px}
#opening nav i{margin:8px 0 18px}
#opening main{position:fixed;inset:var(--header) 0 0 var(--sidebar);padding:20px 16px;background:var(--surface);border:solid var(--line);border-width:1px 0 0 1px;border-radius:var(--radius-lg) 0 0 0}
#opening main i{width:45%;margin:0 0 32px}
#opening main i:first-child{width:160px;height:20px;margin-bottom:48px}
@media(max-width:47.99em){#opening nav{display:none}#opening main{left:0;border-left:0;border-radius:0}#opening main i{width:70%;margin-bottom:48px}}`;

const bones = (count: number) => "<i></i>".repeat(count);

/** Comes before the portal's styles, and is hidden as soon as the script draws something. */
export const OPENING = `<div id="opening" role="status" aria-label="Loading"><div aria-hidden="true">
<header>${MARK_ELEMENT}<i></i></header>
<nav>${bones(9)}</nav>
<main>${bones(13)}</main>
</div></div>`;
