import { type Construct, type Form, PICTURE, script, WORKS } from "./construct.ts";
import { SANDBOX_CONSTRUCTS } from "./sandbox-constructs.ts";

const storage = (use: string, remedies: readonly Form[]): readonly Form[] => [
  { html: script(`try { ${use} } catch {} ${WORKS}`) },
  ...remedies,
];
const stored = (use: string): Form => ({ html: script(`${use}; ${WORKS}`), storage: "memory" });
const ICONS = '<svg xmlns="http://www.w3.org/2000/svg"><rect id="a" width="9" height="9"/></svg>';
const MEASURE =
  "addEventListener('load', () => say(document.querySelector('use').getBBox().width > 0 ? 'works' : 'fails'))";
const ANSWER = "onmessage = ({ data }) => say(data); onerror = () => say('fails')";
const BLOB = (source: string) => `URL.createObjectURL(new Blob([${source}]))`;
const IMAGE = (src: string) => `<img src="${src}" onload="${WORKS}" onerror="say('fails')">`;
/** The hash of the text "say('works')". */
const DIGEST = `sha256-${new Bun.CryptoHasher("sha256").update(WORKS).digest("base64")}`;

export const CONSTRUCTS: readonly Construct[] = [
  {
    name: "localStorage",
    cause: "localStorage",
    warning: "localStorage is blocked",
    broken: { html: script(`localStorage.a = 1; ${WORKS}`) },
    fixed: storage("localStorage.a = 1", [stored("localStorage.a = 1")]),
  },
  {
    name: "sessionStorage in a file",
    cause: "sessionStorage",
    warning: "sessionStorage is blocked",
    broken: { html: "<script src=a.js></script>", files: { "a.js": `sessionStorage.a = 1; ${WORKS}` } },
    fixed: [
      { html: "<script src=a.js></script>", files: { "a.js": `sessionStorage.a = 1; ${WORKS}` }, storage: "memory" },
    ],
  },
  {
    name: "document.cookie",
    cause: "document.cookie",
    warning: "document.cookie is blocked",
    broken: { html: script(`document.cookie; ${WORKS}`) },
    fixed: storage("document.cookie", [stored("document.cookie")]),
  },
  {
    name: "indexedDB",
    cause: "indexedDB",
    warning: "indexedDB is blocked",
    broken: { html: script(`indexedDB.open('a'); ${WORKS}`), storage: "memory" },
    fixed: storage("indexedDB.open('a')", []),
  },
  {
    name: "caches",
    cause: "caches",
    warning: "caches is blocked",
    broken: { html: script(`if (window.caches) {} ${WORKS}`), storage: "memory" },
    fixed: storage("window.caches", []),
  },
  {
    name: "a service worker",
    cause: "serviceWorker",
    warning: "navigator.serviceWorker is blocked",
    broken: { html: script(`navigator.serviceWorker.register('a.js'); ${WORKS}`), files: { "a.js": "" } },
    fixed: storage("navigator.serviceWorker.register('a.js')", []),
  },
  {
    name: "a worker from a file",
    cause: "Worker",
    warning: "Sandboxed pages can't start a Worker",
    broken: {
      html: script(`const worker = new Worker('./a.js'); worker.onmessage = ({ data }) => say(data)`),
      files: { "a.js": "postMessage('works')" },
    },
    fixed: [
      {
        html: script(
          `const worker = new Worker(${BLOB("`postMessage('works')`")}); worker.onmessage = ({ data }) => say(data)`,
        ),
      },
    ],
  },
  {
    name: "a shared worker",
    cause: "SharedWorker",
    warning: "Sandboxed pages can't start a SharedWorker",
    broken: { html: script(`new SharedWorker('a.js'); ${WORKS}`), files: { "a.js": "" } },
    fixed: [
      {
        html: script(
          `const worker = new Worker(${BLOB("`postMessage('works')`")}); worker.onmessage = ({ data }) => say(data)`,
        ),
      },
    ],
  },
  {
    name: "importScripts",
    cause: "importScripts",
    warning: "importScripts can't load",
    broken: {
      html: script(
        `const w = new Worker(${BLOB("'import' + \"Scripts('a.js')\"")}); w.${ANSWER.replace("; ", "; w.")}`,
      ),
      files: { "a.js": "postMessage('works')", "worker.js": "importScripts('a.js')" },
    },
    fixed: [
      {
        html: script(`const address = new URL('a.js', document.baseURI).href;
          const w = new Worker(${BLOB("'importScripts(' + JSON.stringify(address) + ')'")}); w.${ANSWER.replace("; ", "; w.")}`),
        files: { "a.js": "postMessage('works')" },
      },
    ],
  },
  {
    name: "import() in a script that is loaded without crossorigin",
    cause: "import()",
    warning: 'The script can\'t import "./m.mjs"',
    broken: {
      html: "<script src=a.js></script>",
      files: { "a.js": `import('./m.mjs').then(() => ${WORKS}, () => say('fails'))`, "m.mjs": "" },
    },
    fixed: [
      {
        html: "<script src=a.js crossorigin></script>",
        files: { "a.js": `import('./m.mjs').then(() => ${WORKS}, () => say('fails'))`, "m.mjs": "" },
      },
    ],
  },
  {
    name: "a shape from another file",
    cause: "shape",
    warning: "Sandboxed pages can't use shapes from other files",
    broken: { html: `<svg><use href="icons.svg#a"/></svg>${script(MEASURE)}`, files: { "icons.svg": ICONS } },
    fixed: [{ html: `${ICONS}<svg><use href="#a"/></svg>${script(MEASURE)}` }],
  },
  {
    name: "integrity without crossorigin",
    cause: "integrity",
    warning: 'Browsers refuse to load "a.js"',
    broken: { html: `<script src=a.js integrity=${DIGEST} onerror="say('fails')"></script>`, files: { "a.js": WORKS } },
    fixed: [{ html: `<script src=a.js integrity=${DIGEST} crossorigin=anonymous></script>`, files: { "a.js": WORKS } }],
  },
  {
    name: "a missing file",
    cause: "missing",
    warning: '"b.svg" isn\'t in the upload',
    broken: { html: IMAGE("b.svg") },
    fixed: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "a file in a directory",
    cause: "subdirectory",
    warning: '"img/b.svg" is in a subdirectory',
    broken: { html: IMAGE("img/b.svg"), files: { "b.svg": PICTURE } },
    fixed: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "a missing module",
    cause: "missing",
    warning: '"./m.mjs" isn\'t in the upload',
    broken: { html: `<script type=module onerror="say('fails')">import "./m.mjs"; ${WORKS}</script>` },
    fixed: [{ html: `<script type=module>import "./m.mjs"; ${WORKS}</script>`, files: { "m.mjs": "" } }],
  },
  {
    name: "a stylesheet's missing stylesheet",
    cause: "missing",
    warning: '"b.css" isn\'t in the upload',
    broken: styled({}),
    fixed: [styled({ "b.css": "output { color: rgb(1, 2, 3) }" })],
  },
  {
    name: "a root-relative reference",
    cause: "rooted",
    warning: '"/b.svg" starts with',
    broken: { html: IMAGE("/b.svg"), files: { "b.svg": PICTURE } },
    fixed: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  {
    name: "a base element",
    cause: "base",
    warning: "The base element isn't supported",
    broken: { html: `<base href="/other/">${IMAGE("b.svg")}`, files: { "b.svg": PICTURE } },
    fixed: [{ html: IMAGE("b.svg"), files: { "b.svg": PICTURE } }],
  },
  ...SANDBOX_CONSTRUCTS,
];

function styled(files: Readonly<Record<string, string>>): Form {
  const check =
    "addEventListener('load', () => say(getComputedStyle(document.querySelector('output')).color === 'rgb(1, 2, 3)' ? 'works' : 'fails'))";
  return { html: `<link rel=stylesheet href=a.css>${script(check)}`, files: { "a.css": "@import 'b.css';", ...files } };
}
