/** The parts that load when a reader asks for them, so that others don't wait for them. */
interface LazyParts {
  comments: typeof import("./comments.client.ts");
}

/** The addresses of the parts' files. The build puts them in. */
declare const SHELL_PARTS: Readonly<Record<keyof LazyParts, { script: string; style: string }>>;

/** Loads a part's script and style, and returns what the script exports. Rejects if one of them can't be loaded. */
export async function loadPart<Name extends keyof LazyParts>(name: Name): Promise<LazyParts[Name]> {
  const { script, style } = SHELL_PARTS[name];
  // Imports inherit the nonce of the shell's script, which the page's policy asks for.
  const [part] = await Promise.all([import(script), loadStyle(style)]);
  return part;
}

/** Rejects if the style can't be loaded. */
export function loadStyle(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href, onload: resolve });
    link.nonce = document.querySelector<HTMLElement>("script[nonce]")?.nonce ?? "";
    link.onerror = () => {
      link.remove();
      reject(new Error(`${href} can't be loaded.`));
    };
    document.head.append(link);
  });
}
