import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const onPath = (name) =>
  [...(process.env.PATH ?? "").split(":"), "/usr/sbin"].some((directory) => existsSync(`${directory}/${name}`));

const hasPostgres = () =>
  onPath("postgres") ||
  (existsSync("/usr/lib/postgresql") &&
    readdirSync("/usr/lib/postgresql").some((version) => existsSync(`/usr/lib/postgresql/${version}/bin/postgres`)));

/** Needed to build container images. */
const imagePackages = ["buildah", "mmdebstrap"].map((name) => ({ name, isPresent: () => onPath(name) }));

/** Needed for `npm test`; `isForEverything`: only for `npm run test:all` and the benches. */
const packages = [
  {
    name: "chromium-headless-shell",
    isPresent: () => onPath("chromium-headless-shell"),
    skipped: "tests in Chromium, unless the package chromium is installed",
  },
  {
    name: "fonts-dejavu-core",
    isPresent: () => existsSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
    skipped: "no tests, but pages use whatever font there is",
  },
  { name: "postgresql", isPresent: hasPostgres, skipped: "tests on PostgreSQL" },
  { name: "nginx-light", isPresent: () => onPath("nginx"), skipped: "tests and benches with nginx" },
  { name: "openssl", isPresent: () => onPath("openssl"), skipped: "browser tests over HTTPS" },
  ...["zsh", "fish"].map((name) => ({ name, isPresent: () => onPath(name), skipped: `shell completion in ${name}` })),
  { name: "prometheus", isPresent: () => onPath("promtool"), skipped: "the checks of metrics and alert rules" },
  { name: "mandoc", isPresent: () => onPath("mandoc"), skipped: "the check of the manual page" },
  ...[
    { name: "firefox-esr", isPresent: () => onPath("firefox-esr"), skipped: "tests in Firefox" },
    { name: "webkit2gtk-driver", isPresent: () => onPath("WebKitWebDriver"), skipped: "tests in WebKitGTK" },
    { name: "xvfb", isPresent: () => onPath("Xvfb"), skipped: "tests in WebKitGTK" },
    ...["ceph-mon", "ceph-osd", "ceph-common", "radosgw"].map((name) => ({
      name,
      isPresent: () => onPath(name === "ceph-common" ? "ceph" : name),
      skipped: "tests on S3 and with replicas",
    })),
    { name: "jupyter-nbconvert", isPresent: () => onPath("jupyter-nbconvert"), skipped: "the recipe for Jupyter" },
    ...[
      ...["altair", "folium", "matplotlib", "numpy", "pandas", "plotly", "seaborn"].map((module) => ({
        module,
        name: `python3-${module}`,
      })),
      { module: "IPython", name: "python3-ipython" },
      { module: "coverage", name: "python3-coverage" },
    ].map(({ module, name }) => ({
      name,
      isPresent: () => existsSync(`/usr/lib/python3/dist-packages/${module}`),
      skipped: `tests of the Python package with ${module}`,
    })),
    ...["curl", "ggplot2", "htmlwidgets", "httr2", "jsonlite", "openssl"].map((module) => ({
      name: `r-cran-${module}`,
      isPresent: () => existsSync(`/usr/lib/R/site-library/${module}`),
      skipped: `tests of the R package with ${module}`,
    })),
    ...[...imagePackages, ...["podman", "runc"].map((name) => ({ name, isPresent: () => onPath(name) }))].map(
      (wanted) => ({
        ...wanted,
        skipped: "the test that builds the container image and runs it",
      }),
    ),
    { name: "wrk", isPresent: () => onPath("wrk"), skipped: "benches under HTTP load" },
  ].map((wanted) => ({ ...wanted, isForEverything: true })),
];

/** Keeps Debian's packages from starting services during the install, unless the machine has its own policy. */
const guards = [
  { path: "/usr/sbin/policy-rc.d", content: "#!/bin/sh\nexit 101\n", mode: 0o755 },
  {
    path: "/etc/postgresql-common/createcluster.d/vitrine.conf",
    content: "create_main_cluster = false\n",
    mode: 0o644,
  },
];

function aptGet(...args) {
  const apt = spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=300", ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (apt.status === 0) return undefined;
  return apt.error?.message ?? (apt.stderr.trim() || `apt-get ended with exit code ${apt.status}`);
}

function aptInstall(names) {
  const written = guards.filter(({ path }) => !existsSync(path));
  for (const { path, content, mode } of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  }
  try {
    // An unreachable source makes the update fail, but the packages may come from another one.
    aptGet("update");
    return aptGet("install", "--yes", "--no-install-recommends", ...names);
  } finally {
    for (const { path } of written) rmSync(path);
  }
}

/** Returns the names of the packages that aren't installed. */
export const missingPackages = () => packages.filter(({ isPresent }) => !isPresent()).map(({ name }) => name);

/**
 * Installs the Debian packages that tests need, as root on Debian, and says so. Elsewhere, says what is missing and which
 * tests are skipped for that reason.
 */
export function setUpTests({ isEverything }) {
  const wanted = packages.filter(({ isForEverything }) => isEverything || !isForEverything);
  const isMissing = ({ isPresent }) => !isPresent();
  const missing = wanted.filter(isMissing);
  const names = missing.map(({ name }) => name);
  if (missing.length === 0) {
    console.error(`setup:test: all ${wanted.length} Debian packages are installed.`);
    return;
  }

  let reason = "Only root can install packages, and only with apt-get.";
  if (process.getuid?.() === 0 && onPath("apt-get")) {
    console.error(`setup:test: installing ${names.length} Debian packages: ${names.join(" ")}…`);
    reason = aptInstall(names) ?? "The package is installed, but its program wasn't found.";
  }
  for (const { name, skipped } of missing.filter(isMissing))
    console.error(`setup:test: ${name} is MISSING. Skipping ${skipped}. ${reason}`);
}

/** Installs the Debian packages that build container images. Returns a sentence that says why it can't, or undefined. */
function setUpImages() {
  if (process.getuid?.() !== 0) return "Only root can build images, because their files belong to other users.";
  const missing = imagePackages.filter(({ isPresent }) => !isPresent()).map(({ name }) => name);
  if (missing.length === 0) return undefined;
  const names = missing.join(" and ");
  if (!onPath("apt-get")) return `Building images requires ${names}, which are Debian packages. Install them first.`;
  const reason = aptInstall(missing);
  return reason === undefined ? undefined : `${names} couldn't be installed. ${reason}`;
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === "image") {
    const problem = setUpImages();
    if (problem !== undefined) console.error(problem);
    process.exitCode = problem === undefined ? 0 : 1;
  } else setUpTests({ isEverything: true });
}
