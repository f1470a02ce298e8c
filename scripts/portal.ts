import { bundlePortal } from "../src/hosts/app/portal/bundle.ts";

/** Builds the portal if its sources have changed, and prints where it is, as JSON. */
console.log(JSON.stringify(await bundlePortal(console.error)));
