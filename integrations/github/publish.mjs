import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { changesSince, commentOn } from "./comment.mjs";

/** The runner checks out the whole repository, including the command line. */
const root = fileURLToPath(new URL("../../", import.meta.url));
const VALUES = ["name", "title", "folder", "owner", "visibility", "storage", "message"];

const input = (name) => (process.env[`INPUT_${name.toUpperCase().replaceAll("-", "_")}`] ?? "").trim();

/** Escapes the text of a workflow command: https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Escapes text for Markdown. */
const plain = (text) => text.replace(/[\\`*_{}[\]<>()#|!&~@]/g, "\\$&").replace(/\s+/g, " ");

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

function writeOutputs({ code, url, nameUrl, warnings }) {
  const outputs = { code, url, "name-url": nameUrl ?? "", warnings: JSON.stringify(warnings) };
  const lines = Object.entries(outputs).map(([key, value]) => `${key}=${value}\n`);
  appendFileSync(process.env.GITHUB_OUTPUT, lines.join(""));
}

/** Returns what the summary and the comment say. */
function describe({ url, nameUrl, name, warnings }, changes) {
  return [
    `### [${plain(name ?? "Report")}](${nameUrl ?? url})`,
    ...(nameUrl === undefined ? [] : [`[This version](${url})`]),
    ...(changes === undefined ? [] : [`Version ${changes.versionNo}. ${plain(changes.text)}`]),
    // The server has escaped it.
    ...(changes?.markdown === undefined ? [] : [changes.markdown]),
    ...(warnings.length === 0 ? [] : [warnings.map((warning) => `- ${plain(warning)}`).join("\n")]),
  ].join("\n\n");
}

/** Returns the number of the pull request that the workflow runs for. */
function pullRequest() {
  const { GITHUB_EVENT_PATH: path } = process.env;
  if (path === undefined || !existsSync(path)) return undefined;
  return JSON.parse(readFileSync(path, "utf8")).pull_request?.number;
}

/** Runs a step that follows the publish, which must not fail because of it. */
const orWarn = (what, step) =>
  step().catch((error) => {
    console.log(`::warning title=Vitrine::${escaped(`${what}: ${error.message}`)}`);
    return undefined;
  });

const report = publish();
writeOutputs(report);
for (const warning of report.warnings) console.log(`::warning title=Vitrine::${escaped(warning)}`);
const changes = await orWarn("Couldn't read what changed", () => changesSince(report.code));
const text = describe(report, changes);
appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${text}\n`);
const number = pullRequest();
if (input("comment") !== "false" && number !== undefined) {
  const topic = report.name ?? `${process.env.GITHUB_JOB ?? ""}/${process.env.GITHUB_ACTION ?? ""}`;
  await orWarn("Couldn't comment on the pull request", () =>
    commentOn({ number, topic, text, token: input("github-token") }),
  );
}
console.log(report.nameUrl ?? report.url);
