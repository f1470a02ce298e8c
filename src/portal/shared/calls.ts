/** Calls that several pages may need, which are loaded together: without the dialogs, so that none waits for them. */
export { needsConfirmation, postAuth } from "../api/auth.ts";
export { deleteReports } from "./removal-calls.ts";
