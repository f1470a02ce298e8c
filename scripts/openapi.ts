import { readFile, writeFile } from "node:fs/promises";
import { describeApi } from "../src/contract/openapi/openapi.ts";

const path = new URL("../generated/openapi.json", import.meta.url);
const current = `${JSON.stringify(describeApi(), null, 2)}\n`;

if (process.argv.includes("--check")) {
  const committed = await readFile(path, "utf8").catch(() => "");
  if (committed !== current) {
    console.error("generated/openapi.json is out of date. Run `npm run openapi` and commit it.");
    process.exit(1);
  }
} else {
  await writeFile(path, current);
}
