import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The runner checks out the whole repository, including the command line. */
const root = fileURLToPath(new URL("../../", import.meta.url));
const VALUES = ["name", "title", "folder", "owner", "visibility", "storage"];

const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();

/** Escapes the text of a workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Escapes text for Markdown. */
const plain = (text) => text.replace(/[\\`*_{}[\]<>()#|!&~]/g, "\\$&").replace(/\s+/g, " ");

function run(command, args, options = {}) {
  const { status, error, stdout } = spawnSync(command, args, { encoding: "utf8", ...options });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
  return stdout;
}

function publish() {
  if (!existsSync(`${root}node_modules`)) {
    const quietly = ["--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    run("npm", ["ci", ...quietly], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  }
  const flags = VALUES.flatMap((name) => (input(name) === "" ? [] : [`--${name}=${input(name)}`]));
  if (input("flatten") === "true") flags.push("--flatten");
  const args = ["publish", ...flags, "--json", "--quiet", "--", input("path")];
  return JSON.parse(run(`${root}bin/vitrine`, args, { stdio: ["ignore", "pipe", "inherit"] }));
}

function report({ code, url, nameUrl, name, warnings }) {
  const outputs = { code, url, "name-url": nameUrl ?? "", warnings: JSON.stringify(warnings) };
  const lines = Object.entries(outputs).map(([key, value]) => `${key}=${value}\n`);
  appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
  const summary = [
    `### [${plain(name ?? "Report")}](${nameUrl ?? url})`,
    ...(nameUrl === undefined ? [] : [`[This version](${url})`]),
    ...(warnings.length === 0 ? [] : [warnings.map((warning) => `- ${plain(warning)}`).join("\n")]),
  ];
  appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${summary.join("\n\n")}\n`);
  for (const warning of warnings) console.log(`::warning title=Vitrine::${escaped(warning)}`);
  console.log(nameUrl ?? url);
}

report(publish());
