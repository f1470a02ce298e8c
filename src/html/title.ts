import { Budget } from "./budget.ts";
import { readDocument } from "./document.ts";

/** Returns a document's title as a browser shows it, on one line. Returns undefined if it has none or an empty one. */
export function readTitle(html: string): string | undefined {
  let title = "";
  const ignore = () => undefined;
  readDocument(
    html,
    {
      title(text) {
        title = text;
      },
      element: ignore,
      formEnd: ignore,
      style: ignore,
      script: ignore,
      handler: ignore,
    },
    new Budget(),
  );
  return title === "" ? undefined : title;
}
