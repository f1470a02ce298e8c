import { oneLine } from "./block.ts";
import { hashText } from "./hash.ts";

/** Attributes that say how a drawing looks. Others, such as classes, are not compared. */
export const SVG_ATTRIBUTES = [
  "d",
  "points",
  "x",
  "y",
  "x1",
  "y1",
  "x2",
  "y2",
  "cx",
  "cy",
  "r",
  "rx",
  "ry",
  "width",
  "height",
  "transform",
  "fill",
  "href",
  "xlink:href",
  "clip-path",
  "id",
] as const;

/** Parts of a drawing that aren't seen, such as the date at which it was made. */
const UNSEEN = new Set(["metadata", "title", "desc", "style", "script"]);
const REFERENCE = /#([^\s)"']+)/g;

export interface SvgReader {
  open(name: string, attribute: (name: string) => string | undefined): void;
  close(name: string): void;
  text(value: string): void;
  /** Returns what identifies the drawing, whatever IDs it uses, and its text. */
  end(): { source: string; alt: string };
}

/** Returns a reader of one drawing. */
export function createSvgReader(): SvgReader {
  const signature: string[] = [];
  const texts: string[] = [];
  const ids = new Map<string, number>();
  let unseen: string | undefined;

  const ordinal = (id: string): string => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `#${ids.get(id)}`;
  };

  function describe(name: string, attribute: (name: string) => string | undefined): string {
    const described = SVG_ATTRIBUTES.map((key) => {
      const value = attribute(key);
      if (value === undefined) return "";
      const shown = key === "id" ? ordinal(value) : oneLine(value.replace(REFERENCE, (_, id: string) => ordinal(id)));
      return ` ${key}=${shown}`;
    });
    return name + described.join("");
  }

  return {
    open(name, attribute) {
      if (unseen !== undefined) return;
      if (UNSEEN.has(name)) unseen = name;
      else signature.push(describe(name, attribute));
    },
    close(name) {
      if (name === unseen) unseen = undefined;
    },
    text(value) {
      const text = oneLine(value);
      if (unseen !== undefined || text === "") return;
      signature.push(text);
      texts.push(text);
    },
    end: () => ({ source: `svg:${hashText(signature.join("\n"))}`, alt: texts.join(" ").slice(0, 200) }),
  };
}
