import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { setTimeout } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";
import { runBun } from "./bun.mjs";
import { install } from "./install.mjs";
import { installSystemPackages, missingPackages } from "./system-packages.mjs";

install();
installSystemPackages();
await runBun(["scripts/portal.ts"], { stdio: ["ignore", "ignore", "inherit"] });

const IS_BRIEF = Boolean(process.env.VITRINE_TEST_BRIEF);

/**
 * Run side by side with each other and with all the rest, because most of them wait for browsers and for processes. Where
 * it need not be brief, fewer of them, since all of them together leave each other little time.
 */
const WAITING = [["browser", "browser/portal"], ["api"], ...(IS_BRIEF ? [["process", "cli", "mcp"]] : [])];

/**
 * Left out where `VITRINE_TEST_BRIEF` is set, as `.ci/run` sets it to be done in ten minutes: what takes long and looks
 * closer at what other files look at as well.
 */
const LONG = [
  ...[
    "deployments",
    "hostile-files",
    "hostile-referrers",
    "hostile-windows",
    "preflights",
    "queries",
    "reader-bar",
  ].map((name) => `browser/${name}`),
  ...["account", "account-confirmation", "account-organizations", "builds", "cabinet-drag", "cabinet-large"].map(
    ofPortal,
  ),
  ...["account-tokens", "connect", "list-many", "list-selection", "publish-checks", "publish-sending"].map(ofPortal),
  ...["report-files", "report-versions", "workspace-settings"].map(ofPortal),
  ...["bad-line", "cut-network", "faults", "limits", "nginx", "trouble"].map((name) => `copies/${name}`),
  ...[
    "bombs",
    "damage",
    "disk-full",
    "executable",
    "hostile-urls",
    "memory",
    "moved-directory",
    "s3",
    "stalled-uploads",
  ].map((name) => `process/${name}`),
  ...["stalls", "threads"].map((name) => `process/${name}`),
  ...["api/oidc-answers", "api/oidc-confirmation", "blobs/s3-faults", "html/bounds", "events/postgres"],
  ...["mcp/inspector", "store/stalls"],
  ...["changing", "completion", "flatten", "reading"].map((name) => `cli/${name}`),
  "recipes/recipes",
  "recipes/warning-figures",
  "browsers/suite",
].map((name) => `./test/${name}.test.ts`);

function ofPortal(name) {
  return `browser/portal/${name}`;
}

/** The same tests again, each service as two copies behind nginx; where it has to be brief, these. */
const COPIES_WANT = /^(nginx|postgresql|ceph|radosgw)/;
const AS_COPIES = ["./test/api/", "./test/browser/"];
const AS_COPIES_BRIEFLY = ["api/upload", "api/set-visibility", "live/private-socket", "browser/private-live"].map(
  (name) => `./test/${name}.test.ts`,
);

function selectGroups(args) {
  if (args.length > 0) return [args];
  if (!IS_BRIEF) return allGroups();
  console.error(`SKIPPED ${LONG.length} long files, for brevity: npm test alone runs them too (${LONG.join(", ")})`);
  return allGroups().map((paths) => paths.flatMap(filesBelow).filter((path) => !LONG.includes(path)));
}

const filesBelow = (path) =>
  path.endsWith("/")
    ? readdirSync(path)
        .filter((file) => file.endsWith(".test.ts"))
        .map((file) => path + file)
    : [path];

function allGroups() {
  const waiting = WAITING.map((names) => names.filter((name) => existsSync(`test/${name}`)));
  const others = readdirSync("test", { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !waiting.flat().includes(entry.name))
    .map(({ name }) => name);
  return [others, ...waiting].map((names) => names.flatMap(pathsOf));
}

/** The files of a folder, where folders below it have a place of their own; else the folder. */
function pathsOf(name) {
  const hasOthersBelow = WAITING.flat().some((other) => other.startsWith(`${name}/`));
  if (!hasOthersBelow) return [`./test/${name}/`];
  return readdirSync(`test/${name}`)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `./test/${name}/${file}`);
}

/** Where test/support/s3.ts keeps the S3 server of this run, if any test wants one; it ends with this process at the latest. */
const s3Directory = `${tmpdir()}/vitrine-s3-${process.pid}-${Date.now()}`;

async function stopS3() {
  if (!existsSync(s3Directory)) return;
  writeFileSync(`${s3Directory}/stop`, "");
  for (let patience = 100; existsSync(s3Directory) && patience > 0; patience--) await setTimeout(50);
}

/** What was said of each test that failed, to be said again at the end, where it is found. */
function makeFailureLog() {
  let rest = "";
  let lines = [];
  const failures = [];
  /** What follows names all that failed again. */
  let isOver = false;
  return {
    failures,
    add(chunk) {
      const parts = (rest + chunk).split("\n");
      rest = parts.pop();
      for (const line of parts) {
        lines.push(line);
        const [, kind] = /^\((pass|fail|skip|todo)\)/.exec(stripVTControlCharacters(line)) ?? [];
        if (/^\d+ tests? failed:$/.test(stripVTControlCharacters(line).trim())) isOver = true;
        if (kind === "fail" && !isOver) failures.push(lines.slice(-60).join("\n"));
        if (kind) lines = [];
      }
    },
  };
}

/** Runs one group; what it says goes to `out` and `error`. Bun reports on stderr and closes with lines such as " 12 pass". */
async function runGroup(paths, { out, error }, environment = {}) {
  // Bun's JUnit file leaves out test files that do not load.
  let tail = "";
  let closed;
  const { failures, add } = makeFailureLog();
  let exitCode = await runBun(["test", "--timeout=60000", ...paths], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, VITRINE_TEST_S3: s3Directory, ...environment },
    onSpawn({ stdout, stderr }) {
      stdout.on("data", out);
      stderr.on("data", (chunk) => {
        error(chunk);
        add(String(chunk));
        tail = (tail + chunk).slice(-4096);
      });
      closed = Promise.all([once(stdout, "close"), once(stderr, "close")]);
    },
  });
  // A process that a test left behind may hold the pipes open for ever.
  await Promise.race([closed, setTimeout(1000)]);
  const count = (word) => {
    const [last] = [...stripVTControlCharacters(tail).matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].slice(-1);
    return Number(last?.[1] ?? 0);
  };
  const [passed, failed, skipped] = [count("pass"), count("fail"), count("skip") + count("todo")];
  if (passed + failed === 0) exitCode ||= 1;
  return { exitCode, passed, failed: exitCode === 0 ? failed : failed || 1, skipped, failures };
}

/** Says what comes in one stream at once, and keeps the other's back until there is an end to it. */
const direct = { out: (chunk) => process.stdout.write(chunk), error: (chunk) => process.stderr.write(chunk) };
const kept = [];
const keeping = {
  out: (chunk) => kept.push(chunk),
  error(chunk) {
    kept.push(chunk);
    // What failed need not wait to be known.
    for (const line of String(chunk).split("\n")) if (line.startsWith("(fail)")) console.error(line);
  },
};

/** Each service of these tests is two copies behind nginx. */
async function runAsCopies(paths) {
  const missing = missingPackages().filter((name) => COPIES_WANT.test(name));
  if (missing.length > 0) {
    console.error(`SKIPPED tests with two copies behind nginx: ${missing.join(", ")} missing`);
    return { exitCode: 0, passed: 0, failed: 0, skipped: 1, failures: [] };
  }
  console.error(`Again, with two copies behind nginx: ${paths.join(", ")}`);
  return runGroup(paths, direct, { VITRINE_TEST_COPIES: "2" });
}

const args = process.argv.slice(2).filter((arg) => arg !== "--copies");
const isForCopies = args.length < process.argv.length - 2;
const groups = isForCopies ? [] : selectGroups(args);
const results = await Promise.all(groups.map((paths, position) => runGroup(paths, position === 0 ? direct : keeping)));
process.stderr.write(Buffer.concat(kept));
if (isForCopies && args.length > 0) results.push(await runAsCopies(args));
else if (args.length === 0) results.push(await runAsCopies(IS_BRIEF ? AS_COPIES_BRIEFLY : AS_COPIES));
await stopS3();

for (const failure of results.flatMap(({ failures }) => failures))
  console.error(`\nOnce more, what failed:\n${failure}`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
const [passed, failed, skipped] = [sum("passed"), sum("failed"), sum("skipped")];
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(results.find(({ exitCode }) => exitCode !== 0)?.exitCode ?? 0);
