import { ApiError } from "../client/client.ts";
import { LabelError } from "../client/labels.ts";
import { GuestLinkError } from "../client/references.ts";
import { ToolError } from "./tool-error.ts";

/** What to do after a failed request, if the message of the server does not say so. */
const ADVICE: Readonly<Record<number, string>> = {
  401: "Ask the user for a valid access token (VITRINE_TOKEN or the Authorization header).",
  403: "Ask the user for a connection, an access token or a role that allows this.",
  404: "Find the right name, code or id with search_reports, list_versions or list_cabinet.",
  409: "Choose another name, or check the current state with show_report.",
  413: "Remove large files or make them smaller.",
  507: "Ask the user what can be deleted.",
};

/** Returns a message that tells an agent what to do about a failed call, or undefined for an unexpected error. */
export function explainFailure(error: unknown, baseUrl: string): string | undefined {
  if (error instanceof ToolError || error instanceof GuestLinkError) return error.message;
  if (error instanceof LabelError) return `${error.message} See list_cabinet.`;
  if (error instanceof ApiError) return explainAnswer(error);
  if (!(error instanceof Error)) return undefined;
  if (error.name === "SyntaxError" || error.name === "ZodError") {
    return `${baseUrl} doesn't look like a Vitrine server of this version. Ask the user to check VITRINE_URL.`;
  }
  if ("code" in error || error instanceof TypeError) {
    return `Can't reach the server at ${baseUrl}. Ask the user to check that it is running and that VITRINE_URL is correct.`;
  }
  return undefined;
}

function explainAnswer({ status, message, retryAfter }: ApiError): string {
  if (status === 429 || status === 503)
    return retryAfter === undefined ? message : `${message} Wait ${retryAfter} seconds.`;
  if (status >= 500 && status !== 507) return `${message} Try again once. If it fails again, tell the user.`;
  // The message names the workspaces already.
  const advice = message.startsWith("Workspace ") ? "See list_workspaces." : ADVICE[status];
  return advice === undefined ? message : `${message} ${advice}`;
}
