import { bundlePortal } from "../src/hosts/app/portal/bundle.ts";
import { buildShellCode } from "../src/hosts/live/shell-code.ts";

/** Builds the portal if its sources have changed, and prints its location as JSON. */
console.log(JSON.stringify(await bundlePortal({ buildShell: buildShellCode, note: console.error })));
