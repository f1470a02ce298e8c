import { createConstantText } from "./compression.ts";

/** The path on every host that serves shells of the files that load when a reader asks for them. No code or name is like it. */
export const SHELL_PATH = "/~shell/";

const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

/** Returns a file of the shells. Returns undefined if the path names none. */
export type ServeShellFile = (request: Request, path: string) => Promise<Response> | undefined;

/** Creates the function that serves the files of the shells, whose names change with their content. */
export function createShellFiles(files: Readonly<Record<string, string>>): ServeShellFile {
  const known = new Map(Object.entries(files).map(([name, text]) => [name, createConstantText(text)] as const));
  return (request, path) => {
    const respond = path.startsWith(SHELL_PATH) ? known.get(path.slice(SHELL_PATH.length)) : undefined;
    if (respond === undefined) return undefined;
    const headers = new Headers({
      "Content-Type": TYPES[path.split(".").at(-1) ?? ""] ?? "text/plain; charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Resource-Policy": "same-origin",
    });
    return respond(request.headers, { status: 200, headers });
  };
}
