import { escapeHtml } from "../../../look/html.ts";
import { page } from "../../http/pages.ts";

interface InstallPageOptions {
  baseUrl: string;
  wheelUrl: string;
  rUrl: string;
  /** The platforms that have an executable. */
  platforms: readonly string[];
}

const SYSTEMS: readonly (readonly [prefix: string, label: string])[] = [
  ["linux", "Linux"],
  ["macos", "macOS"],
];

/** Returns the page that says how to install the command line and the packages for Python and R. */
export function installPage({ baseUrl, wheelUrl, rUrl, platforms }: InstallPageOptions): string {
  const base = escapeHtml(baseUrl);
  const systems = SYSTEMS.filter(([prefix]) => platforms.some((platform) => platform.startsWith(prefix)));
  const executable =
    systems.length === 0
      ? `<p>With Node 20 or newer:</p>\n<pre>npm install --global ${base}/-/npm/vitrine.tgz</pre>
<p>Then sign in with <code>vitrine login ${base}</code>.</p>`
      : `<p>${systems.map(([, label]) => label).join(" and ")}:</p>\n<pre>curl -fsSL ${base}/-/install.sh | sh</pre>
<p>This installs <code>vitrine</code> in <code>~/.local/bin</code> and signs you in. <a href="/-/install.sh">Read the script</a> first if you like. With Node 20 or newer, <code>npm install --global ${base}/-/npm/vitrine.tgz</code> works too.</p>`;
  return page(
    "Install Vitrine's tools",
    `<p><strong>Command line</strong></p>\n${executable}
<p><strong>Python</strong> 3.9 or newer:</p>
<pre>pip install ${escapeHtml(wheelUrl)}</pre>
<p>Then publish charts and tables with <code>vitrine.publish(figure, name="my-report")</code>.</p>
<p><strong>R</strong> 4.1 or newer, with the packages curl, httr2, jsonlite and openssl:</p>
<pre>install.packages("${escapeHtml(rUrl)}", repos = NULL)</pre>
<p>Then publish files, plots and tables with <code>vitrine::publish(plot, name = "my-report")</code>.</p>`,
  );
}
