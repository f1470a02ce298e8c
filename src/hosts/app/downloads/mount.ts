import type { Hono } from "hono";
import type { Addresses } from "../../../domain/model/links.ts";
import type { ReleaseFiles } from "../../../domain/model/release-files.ts";
import { htmlResponse, missing } from "../../http/page-responses.ts";
import type { Environment } from "../mount.ts";
import { installPage } from "./install-page.ts";
import { executablesOf, installScript, NPM_PATH, RELEASE_PATH } from "./install-script.ts";
import { buildRPackage } from "./r-package.ts";
import { buildWheel, type Download } from "./wheel.ts";

interface DownloadsDependencies {
  addresses: Addresses;
  releaseFiles: ReleaseFiles;
  readCliPackage(): Promise<Blob>;
}

/** The path of the Python package. */
const PYTHON_PATH = "/-/python/";
/** The path of the R package. */
const R_PATH = "/-/r-package/";

const HEADERS = {
  "Cache-Control": "no-cache",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

const attachment = (content: Blob | Uint8Array<ArrayBuffer>, name: string) =>
  new Response(content, {
    headers: {
      ...HEADERS,
      "Content-Type": "application/octet-stream",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });

/** Returns a function that builds a package once, and again if that failed. */
function once(build: () => Promise<Download>): () => Promise<Download> {
  let built: Promise<Download> | undefined;
  return () => {
    built ??= build().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  };
}

/** Mounts the pages and files that install the command line and the packages for Python and R. Anyone can read them. */
export function mountDownloads(app: Hono<Environment>, dependencies: DownloadsDependencies): void {
  const { addresses, releaseFiles, readCliPackage } = dependencies;
  const { baseUrl } = addresses;
  const packages = [
    { path: PYTHON_PATH, build: once(buildWheel) },
    { path: R_PATH, build: once(buildRPackage) },
  ];

  app.get("/-/install", async () => {
    const [files, ...built] = await Promise.all([releaseFiles.list(), ...packages.map(({ build }) => build())]);
    const [wheelUrl = "", rUrl = ""] = built.map(({ name }, index) => `${baseUrl}${packages[index]?.path}${name}`);
    const platforms = [...executablesOf(files).keys()];
    return htmlResponse(installPage({ baseUrl, wheelUrl, rUrl, platforms }), 200);
  });

  app.get("/-/install.sh", async () => {
    const script = installScript(baseUrl, await releaseFiles.list());
    return new Response(script, { headers: { ...HEADERS, "Content-Type": "text/x-shellscript; charset=utf-8" } });
  });

  app.get(`${RELEASE_PATH}:name`, async ({ req }) => {
    const name = req.param("name");
    const file = (await releaseFiles.list()).find((one) => one.name === name);
    const content = file && (await releaseFiles.open(file));
    return content === undefined ? missing() : attachment(content, name);
  });

  app.get(NPM_PATH, async () => attachment(await readCliPackage(), "vitrine.tgz"));

  for (const { path, build } of packages) {
    app.get(`${path}:name`, async ({ req }) => {
      const { name, bytes } = await build();
      return req.param("name") === name ? attachment(bytes, name) : missing();
    });
  }
}
