/** Characters of a link's address. */
const LINK = 2_000;
const PIECES = [
  { pattern: /`([^`\n]+)`/, name: "code" },
  { pattern: /\*\*([^*\n]+)\*\*/, name: "strong" },
  { pattern: /(?<![\w*])[*_](?![\s*_])([^*_\n]+)[*_](?!\w)/, name: "em" },
  { pattern: /\[([^\]\n]{1,200})\]\((https?:\/\/[^\s()<>]+)\)/, name: "a" },
  { pattern: /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/, name: "a" },
  { pattern: /(?<![\w@])(@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?!\w)/, name: "mention" },
] as const;

/**
 * Returns a comment as elements: bold, italic, code, links, lists and quotes. Everything else is text. Only known elements are
 * made, and text is never read as HTML.
 */
export function renderComment(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; ) {
    const kind = kindOf(lines[at]);
    const end = endOf(kind, lines, at);
    const block = blockOf(kind, lines.slice(at, end));
    if (block !== undefined) fragment.append(block);
    at = end;
  }
  return fragment;
}

/** Returns a comment as one line of text, without its Markdown. */
export function commentText(text: string): string {
  const blocks = [...renderComment(text).children];
  const lines = blocks.flatMap((block) => (/^[UO]L$/.test(block.tagName) ? [...block.children] : [block]));
  return lines.map(({ textContent }) => textContent).join(" ");
}

/** Returns where a block ends: code at its closing line, others before a line of another kind. */
function endOf(kind: Kind, lines: readonly string[], start: number): number {
  let end = start + 1;
  while (end < lines.length && (kindOf(lines[end]) === kind) !== (kind === "code")) end++;
  return kind === "code" ? Math.min(end + 1, lines.length) : end;
}

type Kind = "blank" | "quote" | "bullets" | "numbers" | "code" | "text";

function kindOf(line = ""): Kind {
  if (line.trim() === "") return "blank";
  if (/^\s*>/.test(line)) return "quote";
  if (/^\s*[-*+] /.test(line)) return "bullets";
  if (/^\s*\d{1,4}[.)] /.test(line)) return "numbers";
  return line.startsWith("```") ? "code" : "text";
}

function blockOf(kind: Kind, lines: string[]): HTMLElement | undefined {
  if (kind === "blank") return undefined;
  if (kind === "bullets" || kind === "numbers") {
    const list = document.createElement(kind === "bullets" ? "ul" : "ol");
    for (const line of lines) list.append(filled("li", line.replace(/^\s*(?:[-*+]|\d+[.)]) /, "")));
    return list;
  }
  if (kind === "code") {
    const block = document.createElement("pre");
    block.textContent = lines
      .slice(1)
      .filter((line) => !line.startsWith("```"))
      .join("\n");
    return block;
  }
  return kind === "quote"
    ? filled("blockquote", lines.map((line) => line.replace(/^\s*> ?/, "")).join("\n"))
    : filled("p", lines.join("\n"));
}

function filled(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  appendInline(element, text);
  return element;
}

/** Appends text with the marks inside a line. */
function appendInline(parent: HTMLElement, text: string): void {
  let rest = text;
  while (rest !== "") {
    const found = PIECES.map(({ pattern, name }) => ({ name, match: pattern.exec(rest) }))
      .filter(({ match }) => match !== null)
      .sort((one, other) => (one.match?.index ?? 0) - (other.match?.index ?? 0))[0];
    if (found?.match == null) break;
    const { name, match } = found;
    const [whole, inner = "", address = inner] = match;
    parent.append(rest.slice(0, match.index), inlineOf(name, inner, address));
    rest = rest.slice(match.index + whole.length);
  }
  parent.append(rest);
}

function inlineOf(name: (typeof PIECES)[number]["name"], text: string, address: string): HTMLElement {
  const element = document.createElement(name === "mention" ? "b" : name);
  element.textContent = text;
  if (name === "mention") element.className = "mention";
  if (element instanceof HTMLAnchorElement && address.length <= LINK) {
    element.href = address;
    element.target = "_blank";
    element.rel = "noopener noreferrer nofollow ugc";
  }
  return element;
}
