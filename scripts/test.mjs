import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runBun } from "./bun.mjs";
import { install, tryInstall } from "./install.mjs";
import { missingPackages, setUpTests } from "./system-packages.mjs";

const HELP = `Usage: npm test -- [options] [files]

Runs the test files whose path contains one of the given texts, or all. Long ones (*.long.test.ts) run only with --all, or
if a text matches no others.

  --unit                     only tests that need no server, database server or browser (npm run test:unit)
  --all                      everything, each test on every engine, then again with replicas (npm run test:all)
  --replicas                 each service is two replicas behind nginx, with PostgreSQL and S3
  --update-timings           write down how long each file takes (generated/test-timings.json)
  -t, --test-name-pattern    only tests whose name matches this pattern
  --rerun-each <times>       run each file this many times
`;

/** Milliseconds. No test is meant to take long; this only ends those that hang, however busy the machine. */
const HANGS_AFTER = 600_000;

/** Where syncing to disk takes no time, which is a tenth of a run. */
const MEMORY = "/dev/shm";
const ROOM = 8 * 2 ** 30;

/** Folders of tests that start no server, no database server and no browser. */
const UNIT = [
  "test/deploy/",
  "test/disk/",
  "test/domain/",
  "test/html/",
  "test/observability/",
  "test/portal/",
  "test/threads/",
];
/** Folders of tests that start services, so they can run on replicas as well. */
const WITH_SERVICES = ["test/hosts/app/", "test/browser/"];
/** Tests of reports that other tools make, which only they need. */
const WITH_REPORT_TOOLS = ["test/recipes/changes.", "test/recipes/warning-figures."];

const { values: options, positionals } = readCommandLine();
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const isLong = (path) => path.includes(".long.test.");
const isIn = (folders) => (path) => folders.some((folder) => path.startsWith(folder));
const allFiles = readdirSync("test", { recursive: true })
  .map((path) => `test/${path}`)
  .filter((path) => /\.test\.tsx?$/.test(path) && !path.includes("/node_modules/"))
  .toSorted();

function readCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        all: { type: "boolean" },
        unit: { type: "boolean" },
        replicas: { type: "boolean" },
        help: { type: "boolean" },
        "test-name-pattern": { type: "string", short: "t" },
        "rerun-each": { type: "string" },
        "update-timings": { type: "boolean" },
      },
    });
  } catch (error) {
    return fail(error.message);
  }
}

function fail(message) {
  console.error(`${message}\n\n${HELP}`);
  process.exit(2);
}

/** Returns the files whose path contains a text. Leaves out the long ones, unless there are no others. */
function findNamed(text) {
  const found = allFiles.filter((path) => path.includes(text));
  const short = found.filter((path) => !isLong(path));
  return options.all || short.length === 0 ? found : short;
}

/**
 * Returns the runs to make one after the other, each on its test files. Whole runs start hundreds of servers and commands,
 * which takes a quarter of the processor time with an executable; it is built first. `--all` runs the sources as well.
 */
function planRuns() {
  const named = positionals.flatMap(findNamed);
  if (positionals.length > 0 && named.length === 0)
    fail(`No test file has ${positionals.map((text) => `"${text}"`).join(" or ")} in its path.`);
  const isWhole = positionals.length === 0;
  const files = isWhole ? allFiles : [...new Set(named)].toSorted();
  if (options.unit) return [{ files: files.filter((path) => isIn(UNIT)(path) && !isLong(path)) }];
  const onReplicas = { files: files.filter(isIn(WITH_SERVICES)), replicas: 2, isExecutable: isWhole };
  if (options.replicas) return [isWhole ? onReplicas : { ...onReplicas, files }];
  if (!options.all) return [{ files: isWhole ? files.filter((path) => !isLong(path)) : files, isExecutable: isWhole }];
  return [{ files }, ...(onReplicas.files.length > 0 ? [onReplicas] : [])];
}

/** The exit codes after SIGHUP, SIGINT and SIGTERM. */
const INTERRUPTED = new Set([129, 130, 143]);

/** Holds what this run and its tests write. */
const directory = makeDirectory(hasRoom(MEMORY) ? MEMORY : tmpdir());
process.on("exit", () => rmSync(directory, { recursive: true, force: true, maxRetries: 20 }));

/** Returns whether a directory has room for the files of all tests, and lets them run programs. */
function hasRoom(base) {
  try {
    const { bavail, bsize } = statfsSync(base);
    if (bavail * bsize < ROOM) return false;
    const probe = makeDirectory(base);
    const program = join(probe, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    const { status } = spawnSync(program);
    rmSync(probe, { recursive: true });
    return status === 0;
  } catch {
    return false;
  }
}

function makeDirectory(base) {
  const made = mkdtempSync(join(base, "vitrine-tests-"));
  // Some tests run the executable as another user.
  chmodSync(made, 0o711);
  return made;
}

/** Returns why replicas can't run here, or undefined. */
function replicasUnavailable() {
  const missing = missingPackages().filter((name) => /^(nginx|postgresql|ceph|radosgw)/.test(name));
  return missing.length > 0 ? `${missing.join(", ")} missing` : undefined;
}

/** Installs the tools that make reports. Returns why it can't, or undefined. */
function reportToolsUnavailable() {
  let reason;
  // A download that stalls is repeated.
  for (let attempt = 0; attempt < 3; attempt++) {
    reason = tryInstall("test/report-tools", "tools that make reports", { timeout: 180_000, killSignal: "SIGKILL" });
    if (reason === undefined) break;
  }
  return reason;
}

/** Leaves out the tests that can't run here. */
async function runPossible({ files, ...run }, number) {
  const needing = files.filter(isIn(WITH_REPORT_TOOLS));
  const reason = needing.length > 0 ? reportToolsUnavailable() : undefined;
  if (reason === undefined) return runFiles({ files, ...run }, number);
  console.error(reason);
  const skipped = needing.map((path) => `${path} (its tools couldn't be installed)`);
  const possible = files.filter((path) => !needing.includes(path));
  if (possible.length === 0) return { passed: 0, failures: [], skipped };
  const result = await runFiles({ files: possible, ...run }, number);
  return { ...result, skipped: [...result.skipped, ...skipped] };
}

async function runFiles({ files, replicas, isExecutable }, number) {
  const reason = replicas && replicasUnavailable();
  if (reason) return { passed: 0, failures: [], skipped: files.map((path) => `${path} with replicas (${reason})`) };
  if (replicas) console.error(`\nRunning ${files.length} files with ${replicas} replicas behind nginx`);
  const program = isExecutable && !process.env.VITRINE_TEST_PROGRAM ? join(directory, "vitrine") : undefined;
  if (program) await build("scripts/build.ts", "--outfile", program);
  const outfile = join(directory, `junit-${number}.xml`);
  const exitCode = await runBun(
    [
      "test",
      `--timeout=${HANGS_AFTER}`,
      // Most tests wait for other processes, so there are more workers than cores.
      `--parallel=${availableParallelism() * 2}`,
      "--no-isolate",
      // Workers start with the files that take longest, so that none of them still works when the others have finished.
      "--timings=generated/test-timings.json",
      ...(options["update-timings"] ? ["--update-timings"] : []),
      ...(positionals.length > 0 ? [] : ["--only-failures"]),
      ...["test-name-pattern", "rerun-each"].flatMap((name) => (options[name] ? [`--${name}=${options[name]}`] : [])),
      "--reporter=junit",
      `--reporter-outfile=${outfile}`,
      ...files.map((path) => `./${path}`),
    ],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: {
        ...process.env,
        // Giving memory back at once and taking it again costs a quarter of the processor time. In an hour of long tests, workers
        // would keep gigabytes.
        ...(options.all ? {} : { MIMALLOC_PURGE_DELAY: "-1" }),
        TMPDIR: directory,
        // Runs at the same time take different ports.
        VITRINE_TEST_PORTS: tmpdir(),
        // The workers share one S3 server, which ends with the run.
        VITRINE_TEST_S3: `${directory}-s3-${number}`,
        ...(options.all ? { VITRINE_TEST_ALL: "1" } : {}),
        ...(program ? { VITRINE_TEST_PROGRAM: program } : {}),
        ...(replicas ? { VITRINE_TEST_REPLICAS: String(replicas) } : {}),
      },
    },
  );
  if (INTERRUPTED.has(exitCode)) process.exit(exitCode);
  const { readJUnit } = await import("./junit.mjs");
  const result = readJUnit({ outfile, files, exitCode });
  // Bun reports tests that the pattern doesn't match as skipped.
  return options["test-name-pattern"] ? { ...result, skipped: [] } : result;
}

/** Runs a script that builds what the tests need. */
async function build(script, ...args) {
  const exitCode = await runBun([script, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  if (exitCode !== 0) process.exit(exitCode);
}

install();
if (!options.unit) {
  setUpTests({ isEverything: options.all || options.replicas || positionals.length > 0 });
  await build("scripts/portal.ts");
}

const results = [];
for (const [number, run] of planRuns().entries()) results.push(await runPossible(run, number));

const { summarize } = await import("./junit.mjs");
const { text, isGreen } = summarize(results);
console.log(text);
// A long text may still be on its way, if a child has made the pipe non-blocking.
process.exitCode = isGreen ? 0 : 1;
