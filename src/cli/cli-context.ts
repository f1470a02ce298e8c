import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createTerminalOutput, type Output } from "./output.ts";

/** The environment in which commands run. */
export interface CliContext {
  readonly output: Output;
  /** From VITRINE_URL, if set. */
  readonly url: string | undefined;
  /** From VITRINE_TOKEN, if set. */
  readonly token: string | undefined;
  /** From VITRINE_PROFILE, if set. */
  readonly profile: string | undefined;
  /** The file in which `vitrine login` stores the access token. */
  readonly credentialsFile: string;
  /** Whether programs can open windows. */
  readonly hasDesktop: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the context from environment variables. */
export function readCliContext(environment: Environment, platform: NodeJS.Platform = process.platform): CliContext {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const hasDisplay = read("DISPLAY") !== undefined || read("WAYLAND_DISPLAY") !== undefined;
  return Object.freeze({
    output: createTerminalOutput({
      usesColor: !environment.NO_COLOR && environment.TERM !== "dumb",
      end: () => process.exit(0),
    }),
    url: read("VITRINE_URL"),
    token: read("VITRINE_TOKEN"),
    profile: read("VITRINE_PROFILE"),
    credentialsFile: join(configDirectory(read, platform), "vitrine", "credentials.json"),
    hasDesktop: platform === "darwin" || platform === "win32" || hasDisplay,
  });
}

function configDirectory(read: (name: string) => string | undefined, platform: NodeJS.Platform): string {
  const home = read("HOME") ?? homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return read("APPDATA") ?? join(home, "AppData", "Roaming");
  const configured = read("XDG_CONFIG_HOME");
  // The XDG specification says to ignore relative paths.
  return configured !== undefined && isAbsolute(configured) ? configured : join(home, ".config");
}
