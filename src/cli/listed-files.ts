import { reportAddress } from "../client/lazy-routes.ts";
import type { Session } from "./session.ts";

/** A file of a published version. */
export interface ListedFile {
  path: string;
  size: number;
  /** Hexadecimal. Older servers do not send it. */
  sha256?: string;
}

/** Returns the files of a version. */
export const listFiles = (session: Session, code: string): Promise<ListedFile[]> =>
  session.download(reportAddress, { code }, readFileList);

/** Checks by hand the part of a report that is needed here, because loading its schema takes longer than most downloads. */
async function readFileList(response: Response): Promise<ListedFile[]> {
  const report: unknown = await response.json();
  const files: unknown = typeof report === "object" && report !== null && "files" in report ? report.files : undefined;
  if (Array.isArray(files) && files.every(isListedFile)) return files;
  throw new SyntaxError("The server sent no list of files.");
}

const isListedFile = (file: unknown): file is ListedFile =>
  typeof file === "object" &&
  file !== null &&
  "path" in file &&
  typeof file.path === "string" &&
  "size" in file &&
  typeof file.size === "number" &&
  (!("sha256" in file) || typeof file.sha256 === "string");
