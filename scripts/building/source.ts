import packageJson from "../../package.json";
import { runCommand } from "./commands.ts";

/** What is built: the version and the state of the repository. */
export interface Source {
  version: string;
  commit: string;
  /** Seconds since 1970: the time of the commit, or `SOURCE_DATE_EPOCH`. Files in archives get this time. */
  epoch: number;
  /** Whether files differ from the commit. */
  isDirty: boolean;
}

const git = async (...args: string[]) => (await runCommand(["git", ...args])).trim();

export async function readSource(): Promise<Source> {
  const [commit, committed, changes] = await Promise.all([
    git("rev-parse", "HEAD"),
    git("log", "-1", "--format=%ct"),
    git("status", "--porcelain"),
  ]);
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? committed);
  if (!Number.isSafeInteger(epoch)) {
    throw new Error(`SOURCE_DATE_EPOCH must be a number of seconds, not "${process.env.SOURCE_DATE_EPOCH}".`);
  }
  return { version: packageJson.version, commit, epoch, isDirty: changes !== "" };
}

export const dateOf = ({ epoch }: Pick<Source, "epoch">): string =>
  new Date(epoch * 1000).toISOString().replace(".000", "");
