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

const packages = [
  { name: "chromium", present: () => onPath("chromium"), skipped: "browser tests" },
  { name: "firefox-esr", present: () => onPath("firefox-esr"), skipped: "tests in Firefox" },
  { name: "webkit2gtk-driver", present: () => onPath("WebKitWebDriver"), skipped: "tests in WebKitGTK" },
  { name: "xvfb", present: () => onPath("Xvfb"), skipped: "tests in WebKitGTK" },
  {
    name: "fonts-dejavu-core",
    present: () => existsSync("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
    skipped: "no test, but pages show in whatever font there is",
  },
  { name: "postgresql", present: hasPostgres, skipped: "tests on PostgreSQL" },
  { name: "nginx-light", present: () => onPath("nginx"), skipped: "tests behind nginx and benches against it" },
  { name: "openssl", present: () => onPath("openssl"), skipped: "browser tests over https" },
  ...["ceph-mon", "ceph-osd", "ceph-common", "radosgw"].map((name) => ({
    name,
    present: () => onPath(name === "ceph-common" ? "ceph" : name),
    skipped: "tests on S3",
  })),
  ...["zsh", "fish"].map((name) => ({ name, present: () => onPath(name), skipped: `completion in ${name}` })),
  { name: "mandoc", present: () => onPath("mandoc"), skipped: "the test of the manual page's form" },
  {
    name: "jupyter-nbconvert",
    present: () => onPath("jupyter-nbconvert"),
    skipped: "the recipe for Jupyter, and its reports among those that warnings are counted over",
  },
  { name: "wrk", present: () => onPath("wrk"), skipped: "benches under HTTP load" },
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
  return apt.status === 0
    ? undefined
    : (apt.error?.message ?? (apt.stderr.trim() || `apt-get ended with ${apt.status}`));
}

function aptInstall(names) {
  const written = guards.filter(({ path }) => !existsSync(path));
  for (const { path, content, mode } of written) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
  }
  try {
    // One unreachable source fails the update, although the others may suffice.
    aptGet("update");
    return aptGet("install", "--yes", "--no-install-recommends", ...names);
  } finally {
    for (const { path } of written) rmSync(path);
  }
}

/** Returns the names of missing packages. */
export const missingPackages = () => packages.filter(({ present }) => !present()).map(({ name }) => name);

/** Installs the Debian packages that tests and benches need, or says what will be skipped. */
export function installSystemPackages() {
  const isMissing = ({ present }) => !present();
  const missing = packages.filter(isMissing);
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name);

  let reason = "only root can install packages, and only with apt-get";
  if (process.getuid?.() === 0 && onPath("apt-get")) {
    console.error(`Installing Debian packages: ${names.join(" ")}…`);
    reason = aptInstall(names);
  }
  for (const { name, skipped } of missing.filter(isMissing)) {
    console.error(
      `MISSING ${name}: skipped are ${skipped} (${reason ?? "installed, but not where it was looked for"})`,
    );
  }
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) installSystemPackages();
