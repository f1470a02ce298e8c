import type { Hono } from "hono";
import type { Addresses } from "../../../domain/model/links.ts";
import type { ReleaseFiles } from "../../../domain/model/release-files.ts";
import { htmlResponse, missing } from "../../http/page-responses.ts";
import type { Environment } from "../mount.ts";
import { installPage } from "./install-page.ts";
import { executablesOf, installScript, NPM_PATH, RELEASE_PATH } from "./install-script.ts";
import { buildWheel, type Wheel } from "./wheel.ts";

interface DownloadsDependencies {
  addresses: Addresses;
  releaseFiles: ReleaseFiles;
  readCliPackage(): Promise<Blob>;
}

/** The path of the Python package. */
const PYTHON_PATH = "/-/python/";

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

/** Mounts what installs the command line and the Python package. Anyone can read it, because it is the same for everyone. */
export function mountDownloads(app: Hono<Environment>, parts: DownloadsDependencies): void {
  const { addresses, releaseFiles, readCliPackage } = parts;
  const { baseUrl } = addresses;
  let built: Promise<Wheel> | undefined;

  function wheel(): Promise<Wheel> {
    built ??= buildWheel().catch((error: unknown) => {
      built = undefined;
      throw error;
    });
    return built;
  }

  app.get("/-/install", async () => {
    const [{ name }, files] = await Promise.all([wheel(), releaseFiles.list()]);
    const platforms = [...executablesOf(files).keys()];
    return htmlResponse(installPage({ baseUrl, wheelUrl: `${baseUrl}${PYTHON_PATH}${name}`, platforms }), 200);
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

  app.get(`${PYTHON_PATH}:name`, async ({ req }) => {
    const { name, bytes } = await wheel();
    return req.param("name") === name ? attachment(bytes, name) : missing();
  });
}
