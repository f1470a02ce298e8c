import { buildBridgeCode } from "../../src/hosts/content/bridge-code.ts";
import { buildShellCode } from "../../src/hosts/live/shell-code.ts";

/** Bundles the code of the pages around reports, and of the bridge in reports, for the portal's manifest. */
export const buildFrameCode = async () => ({ ...(await buildShellCode()), ...(await buildBridgeCode()) });
