const { createSourceFile } = require("typescript");

if (!createSourceFile) {
  // dependency-cruiser would pass over every .ts file in silence.
  throw new Error("dependency-cruiser needs the API of typescript@6, which typescript@7 does not have");
}

/** What each part of src/ may import of the others, types included. main.ts with main/ alone may import everything. */
const layers = {
  html: [],
  domain: ["html"],
  threads: ["domain", "observability"],
  observability: ["domain"],
  contract: ["domain", "html"],
  store: ["domain", "observability", "threads"],
  blobs: ["disk", "domain", "observability", "threads"],
  events: ["domain", "observability"],
  disk: ["domain", "observability"],
  mail: ["domain"],
  settings: ["domain"],
  look: ["contract", "html"],
  hosts: ["contract", "domain", "html", "look", "observability", "threads"],
  client: ["contract"],
  cli: ["client", "html"],
  mcp: ["client", "html", "threads"],
  portal: ["client", "html", "look"],
};

const MAIN = "^src/main(\\.ts$|/)";
const within = (names) => `^src/(${names.join("|")})/`;
const npm = ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-bundled", "npm-no-pkg", "npm-unknown"];
const packages = (...names) => `(^|node_modules/)(${names.join("|")})(/|$)`;

const rule = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

const only = (name, importers, ...modules) =>
  rule(
    `${name}-only-there`,
    `${modules.join(", ")} may be imported by ${importers.join(", ")} alone.`,
    { path: "^src/", pathNot: [within(importers), MAIN] },
    { path: packages(...modules) },
  );

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, others]) =>
      rule(
        `layer-${layer}`,
        `${layer}/ may import ${[layer, ...others].join(", ")} and nothing else of src/.`,
        { path: within([layer]) },
        { path: "^src/", pathNot: within([layer, ...others]) },
      ),
    ),
    rule(
      "only-main-wires",
      "Only the entry of the npm package imports main.ts.",
      { path: "^src/", pathNot: "^src/main/client\\.ts$" },
      { path: "^src/main\\.ts$" },
    ),
    rule(
      "main-apart",
      "main/ is main.ts's, and nobody else's.",
      { path: "^src/", pathNot: MAIN },
      { path: "^src/main/" },
    ),
    rule(
      "known-layer",
      "A new folder of src/ needs its line in this file.",
      { path: "^src/", pathNot: [within(Object.keys(layers)), MAIN] },
      {},
    ),
    rule(
      "hosts-apart",
      "hosts/app, hosts/content and hosts/live share through hosts/http/.",
      { path: "^src/hosts/([^/]+)/" },
      { path: "^src/hosts/([^/]+)/", pathNot: "^src/hosts/($1|http)/" },
    ),
    rule(
      "hosts-shared-below",
      "What the hosts share imports none of them.",
      { path: "^src/hosts/http/" },
      { path: "^src/hosts/[^/]+/", pathNot: "^src/hosts/http/" },
    ),
    rule(
      "workers-by-threads",
      "threads/ starts worker threads, and starts them again; their scripts are named by URL and imported by nobody.",
      { path: "^src/" },
      { path: "-worker\\.ts$", dependencyTypesNot: ["type-only"] },
    ),
    rule(
      "worker-threads-only-there",
      "threads/ is the only caller of worker threads.",
      { path: "^src/", pathNot: within(["threads"]) },
      { path: "^(node:)?worker_threads$" },
    ),
    rule(
      "package-of-client",
      "The client's package is made of client/ alone.",
      { path: "^client/" },
      { pathNot: "^(client|src/client)/" },
    ),
    rule(
      "src-stands-alone",
      "The program needs none of its tests, benches and scripts.",
      { path: "^src/" },
      { path: "^(test|bench|scripts)/" },
    ),

    rule(
      "domain-packages",
      "domain/ is rules and uses no packages.",
      { path: within(["domain"]) },
      { dependencyTypes: npm },
    ),
    rule(
      "domain-builtins",
      "domain/ does no input or output.",
      { path: within(["domain"]) },
      { dependencyTypes: ["core"], pathNot: "^(node:)?(crypto|zlib|util)$" },
    ),
    rule(
      "html-builtins",
      "html/ consists of pure functions.",
      { path: within(["html"]) },
      { dependencyTypes: ["core"] },
    ),
    rule(
      "contract-packages",
      "contract/ is data: zod describes it, nothing runs it.",
      { path: within(["contract"]) },
      { dependencyTypes: [...npm, "core"], pathNot: packages("zod") },
    ),
    only("parsers", ["html"], "htmlparser2", "css-tree", "acorn", "entities"),
    only("sql", ["store"], "kysely", "bun:sqlite"),
    only("postgres", ["store", "events"], "pg"),
    only("s3", ["blobs"], "aws4fetch"),
    only("http-framework", ["hosts"], "hono"),
    only("forms", ["hosts"], "@remix-run/multipart-parser"),
    only("api-reference", ["hosts"], "@scalar"),
    only("authentication", ["hosts"], "better-auth", "openid-client"),
    only("pages", ["portal"], "react", "react-dom", "@mantine", "@tanstack", "@tabler", "@atlaskit"),
    only("command-line", ["cli"], "commander", "@clack"),
    only("mail", ["mail"], "nodemailer"),
    only("agents", ["mcp"], "@modelcontextprotocol"),

    rule(
      "kernel-below",
      "domain/model/ is the shared kernel: it imports no other folder of src/.",
      { path: "^src/domain/model/" },
      { path: "^src/", pathNot: "^src/domain/model/" },
    ),
    rule(
      "grants-by-access-checks",
      "Only access checks grant: everything else takes `Authorized` from access.ts.",
      { path: "^src/", pathNot: "^src/domain/model/(review-)?access\\.ts$" },
      { path: "^src/domain/model/authorized\\.ts$" },
    ),
    rule(
      "engine-below",
      "store/engine/ knows no capability: what it runs, moves and opens is given to it.",
      { path: "^src/store/engine/" },
      { path: "^src/store/", pathNot: "^src/store/engine/" },
    ),
    {
      ...rule(
        "no-cycles-of-capabilities",
        "Two capabilities that need each other share what they need through the kernel.",
        { path: "^src/(contract|domain|store|hosts/app)/[^/]+$" },
        { circular: true },
      ),
      scope: "folder",
    },
    rule("no-cycles", "Two modules that need each other are one.", {}, { circular: true }),
    rule(
      "no-orphans",
      "Nothing leads to this module and it leads nowhere.",
      { orphan: true, path: "^src/", pathNot: ["\\.d\\.ts$", "-worker\\.ts$"] },
      {},
    ),
    rule("resolvable", "The imported module exists.", {}, { couldNotResolve: true, pathNot: "^bun(:|$)" }),
    rule(
      "no-dev-packages",
      "The program runs on dependencies, not on devDependencies.",
      { path: "^src/" },
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        dependencyTypesNot: ["type-only"],
        pathNot: "^node_modules/@types/",
      },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["bun", "import", "style", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".cjs", ".js", ".json"],
    },
  },
};
