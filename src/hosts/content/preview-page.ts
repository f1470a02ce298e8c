/**
 * Shows the report that the portal sends. Files get addresses that exist only in this document, whose origin is opaque, and
 * scripts that load files by relative references get these addresses too. Tells the portal when a script fails.
 */
const SCRIPT = `(() => {
const PORTAL = document.currentScript.dataset.portal;
if (parent === window) return;
const home = new URL(".", location.href).href;
let files = [];
let positions = new Map();
let place = home;
const addresses = [];

const filled = (text) => text.replace(/vitrine-file-(\\d+)-/g, (_, position) => addressOf(Number(position)));
const addressOf = (position) => {
  const file = files[position];
  if (file === undefined) return "";
  if (addresses[position] === undefined) {
    addresses[position] = "";
    const { content, type } = file;
    const part = typeof content === "string" ? filled(content) : content;
    addresses[position] = URL.createObjectURL(new Blob([part], { type }));
  }
  return addresses[position];
};

const find = (reference) => {
  const url = URL.parse(reference, place);
  if (url === null || !url.href.startsWith(home)) return undefined;
  const path = url.pathname.slice(new URL(home).pathname.length);
  let decoded = path;
  try { decoded = decodeURIComponent(path); } catch {}
  const position = positions.get(decoded) ?? positions.get(decoded + "index.html");
  return position === undefined ? undefined : { position, hash: url.hash };
};
const local = (reference) => {
  const found = find(String(reference));
  return found === undefined ? reference : addressOf(found.position) + found.hash;
};

const { fetch, Worker } = window;
window.fetch = (input, init) => {
  if (!(input instanceof Request)) return fetch(local(input), init);
  return fetch(find(input.url) === undefined ? input : new Request(local(input.url), input), init);
};
window.Worker = class extends Worker {
  constructor(url, options) { super(local(url), options); }
};
const { open } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.open = function (method, url, ...rest) {
  return open.call(this, method, local(url), ...rest);
};
const loading = [
  [HTMLImageElement, "src"], [HTMLScriptElement, "src"], [HTMLIFrameElement, "src"], [HTMLMediaElement, "src"],
  [HTMLSourceElement, "src"], [HTMLEmbedElement, "src"], [HTMLObjectElement, "data"], [HTMLLinkElement, "href"],
];
for (const [{ prototype }, name] of loading) {
  const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
  Object.defineProperty(prototype, name, {
    ...descriptor,
    set(value) { descriptor.set.call(this, local(value)); },
  });
}
const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (name, value) {
  const isLoaded = loading.some(([type, loaded]) => this instanceof type && loaded === String(name).toLowerCase());
  setAttribute.call(this, name, isLoaded ? local(value) : value);
};

const tell = (reason) => {
  const text = String(reason?.message ?? reason).slice(0, 300);
  const isStorage = reason?.name === "SecurityError" && !/indexed|caches|service/i.test(text);
  parent.postMessage({ vitrine: "preview", kind: isStorage ? "storage" : "error", text }, PORTAL);
};
const isPage = (position) => /^text\\/html|xhtml/.test(files[position].type);
const follow = (event) => {
  const link = event.composedPath().find((node) => node instanceof Element && node.matches("a[href], area[href]"));
  const reference = link?.getAttribute("href") ?? "#";
  const found = event.defaultPrevented || reference.startsWith("#") ? undefined : find(reference);
  if (found === undefined || !isPage(found.position)) return;
  event.preventDefault();
  show(found.position, found.hash);
};
const show = (position, hash) => {
  const { path, content } = files[position];
  place = new URL(path.slice(0, path.lastIndexOf("/") + 1), home).href;
  document.open();
  // Opening removes all listeners.
  addEventListener("error", ({ error, message }) => tell(error ?? message));
  addEventListener("unhandledrejection", ({ reason }) => tell(reason));
  addEventListener("click", follow);
  document.write(filled(content));
  document.close();
  parent.postMessage({ vitrine: "preview", kind: "shown" }, PORTAL);
  if (hash !== "") location.hash = hash;
};

addEventListener("message", ({ origin, source, data }) => {
  if (origin !== PORTAL || source !== parent || !Array.isArray(data?.files)) return;
  files = data.files;
  positions = new Map(files.map(({ path }, position) => [path, position]));
  show(data.start, "");
});
})()`;

/** Returns the page that shows reports before they are published. `baseUrl` is where the portal is. */
export const previewPage = (baseUrl: string): string =>
  `<!doctype html><title>Preview</title><script data-portal="${baseUrl}">${SCRIPT}</script>`;
