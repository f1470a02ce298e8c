/** The routes that the command line calls, so that it needs to know the client alone. */
export { uploadRoute } from "../contract/publish.ts";
