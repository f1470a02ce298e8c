import { launchChromium } from "../test/support/chromium.ts";
import { readCommandLine } from "./building/command-line.ts";
import { takeImages } from "./screenshots/images.ts";
import { takePhotographs } from "./screenshots/photographs.ts";

const HELP = `Usage: npm run screenshots -- [text]

Photographs every page of Vitrine in its states, light and dark, at 1440 and 390 px, to build/screenshots/, and remakes the
pictures in docs/images/. With a text: only the pages whose name contains it.
`;

const [text] = readCommandLine(HELP, { allowPositionals: true }).positionals;
await using browser = await launchChromium();
if (text === undefined) await takeImages(browser);
const problems = await takePhotographs(browser, text ?? "");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
