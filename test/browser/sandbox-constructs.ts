import { type Construct, PICTURE, script, WORKS } from "./construct.ts";

const LISTEN = script("onmessage = ({ data }) => say(data)");

/** What a sandbox forbids besides storage and workers. */
export const SANDBOX_CONSTRUCTS: readonly Construct[] = [
  {
    name: "a data: script",
    cause: "localStorage",
    warning: "localStorage is blocked",
    broken: {
      html: `<script src="data:text/javascript,${encodeURIComponent(`localStorage.a = 1; ${WORKS}`)}"></script>`,
    },
    fixed: [
      {
        html: `<script src="data:text/javascript;base64,${btoa(`try { localStorage.a } catch {} ${WORKS}`)}"></script>`,
      },
    ],
  },
  {
    name: "a data: module",
    cause: "sessionStorage",
    warning: "sessionStorage is blocked",
    broken: {
      html: `<script type=module onerror="say('fails')">import "data:text/javascript,sessionStorage.a";${WORKS}</script>`,
    },
    fixed: [{ html: `<script type=module>import "data:text/javascript,1";${WORKS}</script>` }],
  },
  {
    name: "a page in a srcdoc",
    cause: "document.cookie",
    warning: "document.cookie is blocked",
    broken: { html: srcdoc("document.cookie") },
    fixed: [{ html: srcdoc("try { document.cookie } catch {}") }],
  },
  {
    name: "an event handler in an attribute",
    cause: "localStorage",
    warning: "localStorage is blocked",
    broken: {
      html: `<button onclick="localStorage.a; ${WORKS}">x</button>${script("document.querySelector('button').click()")}`,
    },
    fixed: [{ html: `<button onclick="${WORKS}">x</button>${script("document.querySelector('button').click()")}` }],
  },
  {
    name: "a form",
    cause: "form",
    warning: "Reports can't submit forms",
    broken: { html: submitted("<form action=index.html><button>x</button></form>", "") },
    fixed: [
      {
        html: submitted(
          "<form action=index.html><button>x</button></form>",
          `document.forms[0].addEventListener('submit', (event) => { event.preventDefault(); ${WORKS} });`,
        ),
      },
    ],
  },
  ...["toDataURL()", "getContext('2d').getImageData(0, 0, 1, 1)", "toBlob(() => 1)"].map((read) => ({
    name: `a canvas that is read with ${read}`,
    cause: "canvas" as const,
    warning: "Reading a canvas",
    broken: { html: drawn(read, ""), files: { "a.svg": PICTURE } },
    fixed: [
      { html: drawn(read, " crossorigin"), files: { "a.svg": PICTURE } },
      { html: drawn(`tagName; try { canvas.${read} } catch {}`, ""), files: { "a.svg": PICTURE } },
    ],
  })),
  {
    name: "a texture of an image",
    cause: "canvas",
    warning: "Reading a canvas (texImage2D)",
    broken: { html: textured(""), files: { "a.svg": PICTURE } },
    fixed: [{ html: textured("image.crossOrigin = 'anonymous';"), files: { "a.svg": PICTURE } }],
  },
  {
    name: "the rules of a linked stylesheet",
    cause: "cssRules",
    warning: "Reading cssRules",
    broken: { html: ruled(""), files: { "a.css": "p {}" } },
    fixed: [{ html: ruled(" crossorigin"), files: { "a.css": "p {}" } }],
  },
  ...["contentDocument.body", "contentWindow.document"].map((path) => ({
    name: `the document of a frame, through ${path}`,
    cause: "frame" as const,
    warning: "Sandboxed pages can't access the content of frames",
    broken: { html: framed(`document.querySelector('iframe').${path}`), files: { "b.html": "<p>" } },
    fixed: [{ html: framed(`try { document.querySelector('iframe').${path} } catch {}`), files: { "b.html": "<p>" } }],
  })),
  {
    name: "the document of frames[0]",
    cause: "frame",
    warning: "Sandboxed pages can't access the content of frames",
    broken: { html: framed("frames[0].document"), files: { "b.html": "<p>" } },
    fixed: [{ html: framed("frames[0].postMessage(1, '*')"), files: { "b.html": "<p>" } }],
  },
  {
    name: "the document of the surrounding page",
    cause: "parent",
    warning: "Sandboxed pages can't access the document of the page around them",
    broken: { html: `<iframe src="b.html"></iframe>${LISTEN}`, files: { "b.html": around("parent.document.title") } },
    fixed: [{ html: `<iframe src="b.html"></iframe>${LISTEN}`, files: { "b.html": around("1") } }],
  },
  {
    name: "the document of an opened window",
    cause: "popup",
    warning: "Sandboxed pages can't access the document of a window",
    broken: { html: script(`const opened = window.open(''); opened.document.write('a'); ${WORKS}`) },
    fixed: [{ html: script(`const opened = window.open(''); try { opened.document.write('a') } catch {} ${WORKS}`) }],
  },
  {
    name: "OPFS",
    cause: "getDirectory",
    warning: "navigator.storage.getDirectory fails",
    broken: { html: script(`navigator.storage.getDirectory().then(() => ${WORKS})`) },
    fixed: [{ html: script(`navigator.storage.getDirectory().catch(() => ${WORKS})`) }],
  },
  {
    name: "locks",
    cause: "locks",
    warning: "navigator.locks fails",
    broken: { html: script(`navigator.locks.request('a', () => ${WORKS})`) },
    fixed: [{ html: script(`navigator.locks.request('a', () => 1).catch(() => ${WORKS})`) }],
  },
  {
    name: "navigator.credentials",
    cause: "navigator.credentials",
    warning: "navigator.credentials fails",
    broken: {
      html: script(`navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } }).then(() => ${WORKS})`),
    },
    fixed: [
      {
        html: script(
          `navigator.credentials.get({ publicKey: { challenge: new Uint8Array(16) } }).catch(() => ${WORKS})`,
        ),
      },
    ],
  },
  {
    name: "a request with cookies",
    cause: "credentials",
    warning: "Browsers refuse requests with cookies",
    broken: {
      html: script(`fetch('a.json', { credentials: 'include' }).then(() => ${WORKS})`),
      files: { "a.json": "1" },
    },
    fixed: [{ html: script(`fetch('a.json').then(() => ${WORKS})`), files: { "a.json": "1" } }],
  },
  {
    name: "a missing file that is fetched",
    cause: "missing",
    warning: '"a.json" isn\'t in the upload',
    broken: { html: script(`fetch('a.json').then(({ ok }) => say(ok ? 'works' : 'fails'))`) },
    fixed: [
      { html: script(`fetch('a.json').then(({ ok }) => say(ok ? 'works' : 'fails'))`), files: { "a.json": "1" } },
    ],
  },
  {
    name: "a file on the author's computer",
    cause: "local file",
    warning: '"file:///etc/hostname" is on your own computer',
    broken: { html: `<script src="file:///etc/hostname" onload="${WORKS}" onerror="say('fails')"></script>` },
    fixed: [{ html: `<script src="a.js"></script>`, files: { "a.js": WORKS } }],
  },
];

function around(use: string): string {
  return script(
    `onerror = () => parent.postMessage("fails", "*"); setTimeout(() => { ${use}; parent.postMessage("works", "*") })`,
  );
}

function srcdoc(use: string): string {
  const inner = script(`onerror = () => parent.postMessage('fails', '*'); ${use}; parent.postMessage('works', '*')`);
  return `${script("onmessage = ({ data }) => say(data)")}<iframe srcdoc="${inner}"></iframe>`;
}

function submitted(form: string, handler: string): string {
  const refused = "document.addEventListener('securitypolicyviolation', () => say('fails'));";
  return `${form}${script(`${refused} ${handler} addEventListener('load', () => setTimeout(() => document.querySelector('form button').click()))`)}`;
}

function drawn(read: string, attribute: string): string {
  return `<img src="a.svg" width="9" height="9"${attribute}><canvas></canvas>${script(`addEventListener('load', () => {
    const canvas = document.querySelector('canvas');
    canvas.getContext('2d').drawImage(document.querySelector('img'), 0, 0);
    canvas.${read}; ${WORKS} })`)}`;
}

function textured(before: string): string {
  return script(`const image = new Image(); ${before} image.onload = () => {
    const gl = document.createElement('canvas').getContext('webgl');
    if (gl === null) return say('${before === "" ? "fails" : "works"}');
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image); ${WORKS} };
    image.onerror = () => say('fails'); image.src = "a.svg";`);
}

function ruled(attribute: string): string {
  return `<link rel="stylesheet" href="a.css"${attribute}>${script(
    `addEventListener('load', () => { for (const sheet of document.styleSheets) sheet.cssRules; ${WORKS} })`,
  )}`;
}

function framed(use: string): string {
  return `<iframe src="b.html"></iframe>${script(`addEventListener('load', () => { ${use}; ${WORKS} })`)}`;
}
