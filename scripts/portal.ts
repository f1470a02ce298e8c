import { bundlePortal } from "../src/hosts/app/portal/bundle.ts";

/** Bundles the portal if it has changed, so that nobody has to wait for it in front of a browser. */
await bundlePortal();
