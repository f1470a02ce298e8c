import { bundlePortal } from "../src/hosts/app/portal/bundle.ts";
import { buildFrameCode } from "./building/frame-code.ts";

/** Builds the portal if its sources have changed, and prints its location as JSON. */
console.log(JSON.stringify(await bundlePortal({ buildShell: buildFrameCode, note: console.error })));
