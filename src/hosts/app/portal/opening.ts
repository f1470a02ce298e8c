/**
 * Shows the outline of the portal until its script draws the actual one, in system colors like those of the portal. The
 * script's styles come after it, so that they don't delay it.
 */
export const OPENING_STYLE = `#opening{--line:light-dark(#dee2e6,#424242);--bone:light-dark(#f1f3f5,#2c2e33);position:fixed;inset:0;overflow:hidden}
body:has(>#portal>:not(style)) #opening{display:none}
#opening *{box-sizing:border-box}
#opening i{display:block;height:12px;border-radius:6px;background:var(--bone)}
#opening header{display:flex;align-items:center;gap:16px;height:56px;padding:0 16px;border-bottom:1px solid var(--line)}
#opening header i{flex:1;height:36px;max-width:640px;margin-right:auto;border-radius:8px}
#opening nav{position:fixed;inset:56px auto 0 0;width:280px;padding:16px;border-right:1px solid var(--line)}
#opening nav i{margin:8px 0 18px}
#opening main{padding:20px 16px 16px 296px}
#opening main i{width:45%;margin:0 0 32px}
#opening main i:first-child{width:160px;height:20px;margin-bottom:48px}
@media(max-width:48em){#opening nav{display:none}#opening main{padding-left:16px}#opening main i{width:70%;margin-bottom:48px}}`;

const LOGO = `<svg width="26" height="26" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e66"/>
<path d="M7 8l9 17 9-17" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const bones = (count: number) => "<i></i>".repeat(count);

/** Comes before the portal's styles, and is hidden as soon as the script draws something. */
export const OPENING = `<div id="opening" role="status" aria-label="Loading"><div aria-hidden="true">
<header>${LOGO}<i></i></header>
<nav>${bones(9)}</nav>
<main>${bones(13)}</main>
</div></div>`;
