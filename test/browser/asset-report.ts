import { createHash } from "node:crypto";
import type { FileContents } from "../support/content.ts";

const MODULES = new URL("../../node_modules/", import.meta.url);
const FONT = new URL("mochawesome-report-generator/dist/roboto-regular-webfont.woff2", MODULES);

/** `(func (export "sum") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))` */
const SUM_MODULE = Buffer.from(
  "0061736d0100000001070160027f7f017f030201000707010373756d00000a09010700200020016a0b",
  "hex",
);

/** One frame of 8 × 8 pixels in VP8. */
const FILM = Buffer.from(
  "GkXfo0AgQoaBAUL3gQFC8oEEQvOBCEKCQAR3ZWJtQoeBAkKFgQIYU4BnQI0VSalmQCgq17FAAw9CQE2AQAZ3aGFtbXlXQUAGd2hhbW15RIlACECPQAAAAAAAFlSua0AxrkAu14EBY8WBAZyBACK1nEADdW5khkAFVl9WUDglhohAA1ZQOIOBAeBABrCBCLqBCB9DtnVAIueBAKNAHIEAAIAwAQCdASoIAAgAAUAmJaQAA3AA/vz0AAA=",
  "base64",
);

const GUARDED = "globalThis.guarded = true;";
const INTEGRITY = `sha256-${createHash("sha256").update(GUARDED).digest("base64")}`;

const SHAPE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect id="part" width="40" height="40"/></svg>';

/** A minute of silence, long enough not to be read in one piece: 8,000 samples of 8 bits per second. */
function silence(): Buffer {
  const samples = 60 * 8_000;
  const header = Buffer.alloc(44);
  header.write("RIFF\0\0\0\0WAVEfmt ");
  header.writeUInt32LE(36 + samples, 4);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(8_000, 24);
  header.writeUInt32LE(8_000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write("data", 36);
  header.writeUInt32LE(samples, 40);
  return Buffer.concat([header, Buffer.alloc(samples, 128)]);
}

/**
 * What a report can do with its files, in a sandbox with an opaque origin: each probe is a function in the page
 * that returns whether it worked. The comments say what each depends on.
 */
const PROBES = {
  // A correct media type only.
  "classic script": "async () => { await loaded('script', { src: 'classic.js' }); return classic === 1 }",
  stylesheet: "async () => { await styled; return colorOf('style') === 'rgb(1, 2, 3)' }",
  "@import": "async () => { await styled; return colorOf('import') === 'rgb(4, 5, 6)' }",
  image: "async () => (await loaded('img', { src: 'dot.png' })).naturalWidth === 1",
  "SVG image": "async () => (await loaded('img', { src: 'shape.svg' })).naturalWidth === 40",
  video:
    "async () => (await event(make('video', { src: 'film.webm', preload: 'auto', muted: '' }), 'loadeddata')).videoWidth === 8",
  "seeking in sound": `async () => {
    const sound = await event(make('audio', { src: 'silence.wav', preload: 'metadata' }), 'loadedmetadata');
    sound.currentTime = 50;
    await event(sound, 'seeked');
    return Math.round(sound.duration) === 60 && sound.currentTime === 50;
  }`,
  object: "async () => (await loaded('object', { data: 'shape.svg', type: 'image/svg+xml' })).offsetWidth > 0",
  "sibling iframe": "() => said(() => make('iframe', { src: 'sibling.html' }), 'sibling is here')",
  "blob: worker": '() => answered(new Worker(URL.createObjectURL(new Blob(["postMessage(6 * 7)"]))), 42)',
  "data: worker": "() => answered(new Worker('data:text/javascript,postMessage(6 * 7)'), 42)",
  "importScripts in a worker": `() => answered(new Worker(URL.createObjectURL(new Blob([
    "importScripts(" + JSON.stringify(new URL('classic.js', location).href) + "); postMessage(classic)"
  ]))), 1)`,

  // Access-Control-Allow-Origin.
  "module script": "() => said(() => make('script', { type: 'module', src: 'main.mjs' }), 'module is here')",
  "import() in a classic script with crossorigin":
    "async () => { await loaded('script', { src: 'importer-shared.js', crossorigin: '' }); return (await importingShared).word === 'module' }",
  "import()": "async () => (await import('./words.mjs')).word === 'module'",
  "JSON import": "async () => (await import('./data.json', { with: { type: 'json' } })).default.word === 'json'",
  font: "async () => (await new FontFace('Own', 'url(own.woff2)').load()).status === 'loaded'",
  fetch: "async () => (await (await fetch('data.json')).json()).word === 'json'",
  XHR: `async () => {
    const request = new XMLHttpRequest();
    request.open('GET', 'data.json');
    request.responseType = 'json';
    request.send();
    await event(request, 'load');
    return request.response.word === 'json';
  }`,
  "WebAssembly.instantiateStreaming":
    "async () => (await WebAssembly.instantiateStreaming(fetch('sum.wasm'))).instance.exports.sum(2, 3) === 5",
  "SRI with crossorigin": `async () => {
    await loaded('script', { src: 'guarded.js', integrity: '${INTEGRITY}', crossorigin: 'anonymous' });
    return guarded;
  }`,
  "image with crossorigin": `async () => {
    const image = await loaded('img', { src: 'shape.svg', crossorigin: 'anonymous' });
    const canvas = new OffscreenCanvas(1, 1).getContext('2d');
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, 1, 1).data[3] === 255;
  }`,
  "Content-Range": `async () => {
    const response = await fetch('silence.wav', { headers: { Range: 'bytes=0-3' } });
    return response.status === 206 && response.headers.get('content-range') === 'bytes 0-3/480044'
      && response.headers.get('accept-ranges') === 'bytes' && await response.text() === 'RIFF';
  }`,
  ETag: "async () => (await fetch('data.json')).headers.get('etag').length > 10",

  // Not possible with any server.
  "worker from a file": "() => answered(new Worker('./worker.js'), 1)",
  "module worker from a file": "() => answered(new Worker('./worker.js', { type: 'module' }), 1)",
  SharedWorker: "() => answered(new SharedWorker('./worker.js').port, 1)",
  "SharedWorker from data:":
    "() => answered(new SharedWorker('data:text/javascript,onconnect=(e)=>e.ports[0].postMessage(1)').port, 1)",
  // A script from another origin has no base URL for modules, and in a sandbox every script is one.
  "import() in a classic script":
    "async () => { await loaded('script', { src: 'importer.js' }); return (await importing).word === 'module' }",
  "external SVG use": "async () => { await pause(300); return document.querySelector('use').getBBox().width > 0 }",
  "credentials: include": "async () => (await fetch('data.json', { credentials: 'include' })).ok",
  "image with crossorigin use-credentials":
    "async () => (await loaded('img', { src: 'dot.png?credentials', crossorigin: 'use-credentials' })).naturalWidth === 1",
  "SRI without crossorigin": `async () => {
    delete globalThis.guarded;
    await loaded('script', { src: 'guarded.js?plain', integrity: '${INTEGRITY}' });
    return guarded;
  }`,
  "contentDocument of a sibling":
    "async () => (await loaded('iframe', { src: 'sibling.html' })).contentDocument !== null",
  "contentDocument of srcdoc": "async () => (await loaded('iframe', { srcdoc: '<p>Hello' })).contentDocument !== null",
  // No file extension has its media type.
  EventSource: "async () => { await event(new EventSource('events.txt'), 'open'); return true }",
} as const;

export type Probe = keyof typeof PROBES;

const IMPOSSIBLE: ReadonlySet<string> = new Set<Probe>([
  "worker from a file",
  "module worker from a file",
  "SharedWorker",
  "SharedWorker from data:",
  "import() in a classic script",
  "external SVG use",
  "credentials: include",
  "image with crossorigin use-credentials",
  "SRI without crossorigin",
  "contentDocument of a sibling",
  "contentDocument of srcdoc",
  "EventSource",
]);

/** The output of the report if everything behaves as browsers allow. */
export const EXPECTED_OUTCOMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(PROBES).map((name) => [name, IMPOSSIBLE.has(name) ? "fails" : "works"]),
);

const PAGE = (script: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Everything</title>
<body style="margin: 0; background: white">
<div id="mask" style="position: fixed; left: 0; top: 0; width: 40px; height: 40px; background: rgb(0, 128, 0); mask: url(shape.svg)"></div>
<p class="style">Styled</p><p class="import">Imported</p>
<svg width="40" height="40"><use href="shape.svg#part"/></svg>
<output></output>
<script>${script}</script>`;

/** Runs all probes at the same time; a probe without an outcome after 5 seconds counts as hanging. */
const SCRIPT = `
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const make = (name, attributes) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  document.body.append(element);
  return element;
};
const event = (target, name) => new Promise((resolve, reject) => {
  target.addEventListener(name, () => resolve(target), { once: true });
  target.addEventListener("error", () => reject(new Error("error")), { once: true });
});
const loaded = (name, attributes) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  const done = event(element, "load");
  document.body.append(element);
  return done;
};
const colorOf = (name) => getComputedStyle(document.querySelector("." + name)).color;
const answered = (worker, answer) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data === answer);
  worker.onerror = reject;
});
const said = (act, words) => new Promise((resolve, reject) => {
  addEventListener("message", ({ data }) => data === words && resolve(true));
  act().onerror = reject;
});
const styled = loaded("link", { rel: "stylesheet", href: "style.css" });
const outcomes = {};
async function attempt(name, probe) {
  const works = Promise.try(probe).then((works) => works === true ? "works" : "fails", () => "fails");
  outcomes[name] = await Promise.race([works, pause(5000).then(() => "hangs")]);
}
const probes = {
${Object.entries(PROBES)
  .map(([name, probe]) => `${JSON.stringify(name)}: ${probe}`)
  .join(",\n")}
};
Promise.all(Object.entries(probes).map(([name, probe]) => attempt(name, probe))).then(() => {
  document.querySelector("output").textContent = JSON.stringify(outcomes);
});
`;

/** Returns a report that tries every way to use a file and prints the outcomes. */
export const assetReport = async (): Promise<FileContents> => ({
  "index.html": PAGE(SCRIPT),
  "classic.js": "globalThis.classic = 1;",
  "guarded.js": GUARDED,
  "importer.js": "globalThis.importing = import('./words.mjs');",
  "importer-shared.js": "globalThis.importingShared = import('./words.mjs');",
  "worker.js": "postMessage(1); globalThis.onconnect = ({ ports: [port] }) => port.postMessage(1);",
  "style.css": '@import "imported.css"; .style { color: rgb(1, 2, 3); }',
  "imported.css": ".import { color: rgb(4, 5, 6) }",
  "dot.png": DOT,
  "shape.svg": SHAPE,
  "film.webm": FILM,
  "silence.wav": silence(),
  "sibling.html": '<!doctype html><title>Sibling</title><script>parent.postMessage("sibling is here", "*")</script>',
  "main.mjs": 'import { word } from "./words.mjs"; postMessage(word + " is here", "*");',
  "words.mjs": 'export const word = "module";',
  "data.json": '{"word":"json"}',
  "events.txt": "data: hello\n\n",
  "sum.wasm": SUM_MODULE,
  "own.woff2": await Bun.file(FONT).bytes(),
});

/** One black pixel. */
const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==",
  "base64",
);
