import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createTerminalOutput, type Output } from "./output.ts";

/** What commands that talk to a server know of where they run. */
export interface Surroundings {
  readonly output: Output;
  /** From the environment; undefined where it says nothing. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** Where `vitrine login` keeps what it was given. */
  readonly credentialsFile: string;
  /** Whether a program that is started could open a window. */
  readonly hasDesktop: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** From environment variables. */
export function readSurroundings(environment: Environment, platform: NodeJS.Platform = process.platform): Surroundings {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const hasDisplay = read("DISPLAY") !== undefined || read("WAYLAND_DISPLAY") !== undefined;
  return Object.freeze({
    output: createTerminalOutput({
      isColourful: !environment.NO_COLOR && environment.TERM !== "dumb",
      end: () => process.exit(0),
    }),
    url: read("VITRINE_URL"),
    token: read("VITRINE_TOKEN"),
    credentialsFile: join(configDirectory(read, platform), "vitrine", "credentials.json"),
    hasDesktop: platform === "darwin" || platform === "win32" || hasDisplay,
  });
}

function configDirectory(read: (name: string) => string | undefined, platform: NodeJS.Platform): string {
  const home = read("HOME") ?? homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support");
  if (platform === "win32") return read("APPDATA") ?? join(home, "AppData", "Roaming");
  const wanted = read("XDG_CONFIG_HOME");
  // A relative one has to be ignored, says the specification of these directories.
  return wanted !== undefined && isAbsolute(wanted) ? wanted : join(home, ".config");
}
