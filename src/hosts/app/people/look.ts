import { escapeHtml } from "../../html.ts";
import { page } from "../../pages.ts";
import { FORM_SCRIPT } from "../forms.ts";

/** For pages of several parts; goes on top of the look that all pages share. */
const STYLE = `body{place-items:start center}body main{max-width:44rem;padding:1.5rem 0}
h2{font-size:1.125rem;line-height:1.4;margin:2rem 0 .5rem;padding-top:1.5rem;border-top:1px solid var(--line)}
nav{margin:0 0 .75rem}time{white-space:nowrap}section>form{max-width:24rem}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1.5rem;margin:0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
ul{list-style:none;margin:0;padding:0}
li{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;justify-content:space-between;padding:.75rem 0}
li+li{border-top:1px solid var(--line)}
li>div{flex:1 1 14rem;min-width:0;overflow-wrap:anywhere}li small{display:block;font-size:.875rem;color:var(--soft)}
.acts{display:flex;flex-wrap:wrap;gap:.5rem;flex:0 1 auto;align-items:center}
.row{display:flex;flex-wrap:wrap;gap:.75rem 1.5rem;align-items:start;margin-top:1.25rem}.row>form{margin:0}
form.inline{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;margin:0}
form.inline [role=alert]{order:1;flex-basis:100%}
select{font:inherit;padding:.5rem .75rem;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.5rem}
.inline button,.inline select{min-height:2.125rem;padding:.25rem .75rem;font-size:.9375rem}
[role=status]{margin:0;color:var(--accent)}[role=status]:empty{position:absolute}
.result{display:grid;gap:.75rem;margin-top:1.25rem;padding:1rem;border:1px solid var(--line);border-radius:.5rem}.result[hidden]{display:none}
.result p{margin:0}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`;

/** A page for somebody who is signed in. `parts` are HTML. */
export const peoplePage = (nonce: string, title: string, parts: readonly string[], moreScript = "") =>
  page(title, parts.join("\n"), { nonce, style: STYLE, script: FORM_SCRIPT + moreScript });

/** The way back, to a path of this host. */
export const wayBack = (path: string, name: string) => `<nav aria-label="Way back"><a href="${path}">${name}</a></nav>`;

export const section = (title: string, body: string, id?: string) =>
  `<section${id === undefined ? "" : ` id="${id}"`}>\n<h2>${escapeHtml(title)}</h2>\n${body}\n</section>`;

/** `choices` are values with how people read them. */
export const selectHtml = (
  name: string,
  choices: readonly string[],
  chosen: string,
  label: string,
  isLabelSeen = true,
) => `<label>${isLabelSeen ? escapeHtml(label) : `<span class="unseen">${escapeHtml(label)}</span>`}
<select name="${name}">${choices
  .map((choice) => `<option value="${choice}"${choice === chosen ? " selected" : ""}>${capitalized(choice)}</option>`)
  .join("")}</select></label>`;

export const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

export const organizationPath = (slug: string) => `/-/organizations/${slug}`;
export const ACCOUNT_PATH = "/-/account";
