import type { ReleaseFile } from "../../../domain/model/release-files.ts";

/** The path of the npm package of the command line. */
export const NPM_PATH = "/-/npm/vitrine.tgz";
/** The path of the release's files. */
export const RELEASE_PATH = "/-/release/";

const PLATFORM = /^vitrine-.+-((?:linux|macos)-(?:x64|arm64))\.tar\.gz$/;

/** Returns the archives with executables, by platform. */
export const executablesOf = (files: readonly ReleaseFile[]): ReadonlyMap<string, ReleaseFile> =>
  new Map(
    files.flatMap((file) => {
      const platform = PLATFORM.exec(file.name)?.[1];
      return platform === undefined || file.name.includes("-image-") ? [] : [[platform, file] as const];
    }),
  );

/** Returns the shell script that installs the executable for the caller's platform and starts the sign-in. */
export function installScript(baseUrl: string, files: readonly ReleaseFile[]): string {
  const cases = Array.from(
    executablesOf(files),
    ([platform, { name, sha256 }]) => `  ${platform}) file=${name} sum=${sha256} ;;`,
  );
  return `#!/bin/sh
# Installs the command vitrine from ${baseUrl}.
# VITRINE_INSTALL_DIR is the directory for the command (default: ~/.local/bin).
set -eu

base='${baseUrl}'
fail() { echo "vitrine: $1" >&2; exit 1; }

# Everything is in a function, so that a script that arrives in part does nothing.
install_vitrine() {
  case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) fail "There is no executable for $(uname -s). Use Linux or macOS." ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "There is no executable for the processor $(uname -m)." ;;
  esac
  case $system-$processor in
${[...cases, "  *) file= sum= ;;"].join("\n")}
  esac
  if [ -n "$file" ]; then install_executable; else install_package; fi
}

# Without an executable, the package for Node does the same.
install_package() {
  major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null) || major=0
  if [ "$major" -lt 20 ] || ! command -v npm >/dev/null; then
    fail "$base has no executable for $system-$processor, and the npm package requires Node 20 or newer. Install Node, or ask the server's administrator to add a release."
  fi
  if [ -n "\${VITRINE_INSTALL_DIR:-}" ]; then prefix="--prefix=$VITRINE_INSTALL_DIR"; else prefix=; fi
  npm install --global --no-audit --no-fund \${prefix:+"$prefix"} "$base${NPM_PATH}" >&2 || fail "npm couldn't install the package."
  if [ -n "$prefix" ]; then command=$VITRINE_INSTALL_DIR/bin/vitrine; else command=$(npm prefix --global)/bin/vitrine; fi
  echo "Installed $command" >&2
  sign_in "$command"
}

install_executable() {

  directory=\${VITRINE_INSTALL_DIR:-$HOME/.local/bin}
  mkdir -p "$directory"
  # In the same directory, so that the command is replaced at once.
  making=$(mktemp -d "$directory/.vitrine-XXXXXX")
  trap 'rm -rf "$making"' EXIT
  trap 'exit 1' HUP INT TERM

  echo "Downloading $file from $base…" >&2
  curl -fsSL "$base${RELEASE_PATH}$file" -o "$making/$file" || fail "The download failed. Try again."
  if command -v sha256sum >/dev/null; then got=$(sha256sum "$making/$file"); else got=$(shasum -a 256 "$making/$file"); fi
  [ "\${got%% *}" = "$sum" ] || fail "The download is damaged: its SHA-256 digest isn't $sum. Try again, or ask the server's administrator to add the release again."
  tar -xzf "$making/$file" -C "$making" --strip-components=1
  chmod 755 "$making/bin/vitrine"
  mv -f "$making/bin/vitrine" "$directory/vitrine"
  echo "Installed $directory/vitrine" >&2

  case :$PATH: in
    *:"$directory":*) ;;
    *) echo "Add it to your PATH: export PATH=\\"$directory:\\$PATH\\"" >&2 ;;
  esac
  sign_in "$directory/vitrine"
}

sign_in() {
  # The script itself is on standard input when it comes through a pipe.
  if [ -t 2 ] && [ -r /dev/tty ]; then "$1" login "$base" </dev/tty
  else echo "Sign in: vitrine login $base" >&2; fi
}

install_vitrine
`;
}
