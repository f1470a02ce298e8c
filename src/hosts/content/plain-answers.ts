import { ALLOWED_METHODS, plainHeaders, preflightHeaders } from "./headers.ts";

export const redirectTo = (path: string) =>
  new Response(null, { status: 308, headers: plainHeaders({ Location: path }) });

export const methodNotAllowed = () =>
  Response.json(
    { error: "Only GET, HEAD and OPTIONS are allowed here." },
    { status: 405, headers: plainHeaders({ Allow: ALLOWED_METHODS }) },
  );

/** Responds alike for every URL, so that the answer reveals nothing about reports. */
export const answerPreflight = () => new Response(null, { status: 204, headers: preflightHeaders() });
