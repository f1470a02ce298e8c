import { ApiError } from "../client/client.ts";
import { ToolError } from "./tool-error.ts";

/** What to do about an answer of the API, where its own sentence does not say so. */
const ADVICE: Readonly<Record<number, string>> = {
  401: "The person who set this up has to give it a token that is good (VITRINE_TOKEN, or the Authorization header).",
  403: "Ask the person for a token or a role that allows it, or leave it.",
  404: "Look for the right name, code or id with search_reports, list_reports or list_cabinet.",
  409: "Choose another name, or look at what has changed with show_report.",
  413: "Leave out or shrink what is large.",
  507: "Ask the person what may be deleted.",
};

/** The sentence about a failed call that an agent can act on; undefined when there is none to give. */
export function explainFailure(error: unknown, baseUrl: string): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (error instanceof ApiError) return explainAnswer(error);
  if (!(error instanceof Error)) return undefined;
  if (error.name === "SyntaxError" || error.name === "ZodError") {
    return `What answers at ${baseUrl} is no Vitrine server of this version. Ask the person to check VITRINE_URL.`;
  }
  if ("code" in error || error instanceof TypeError) {
    return `The server at ${baseUrl} cannot be reached. Ask the person whether it is running and VITRINE_URL is right.`;
  }
  return undefined;
}

function explainAnswer({ status, message, retryAfter }: ApiError): string {
  if (status === 429 || status === 503) return retryAfter === undefined ? message : `${message} Wait ${retryAfter} s.`;
  if (status >= 500 && status !== 507) return `${message} Try once more, and then tell the person.`;
  const advice = ADVICE[status];
  return advice === undefined ? message : `${message} ${advice}`;
}
