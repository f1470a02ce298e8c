import type { Readiness } from "../domain/readiness.ts";

/** Where load balancers ask on either host whether this copy of the program is to be sent requests. */
export const READY_PATH = "/-/ready";

/** Tells nobody why it is not. */
export async function answerReady(
  { isReady }: Pick<Readiness, "isReady">,
  headersWith: (extra: Record<string, string>) => Headers | Record<string, string>,
): Promise<Response> {
  if (await isReady()) return Response.json({ ready: true }, { headers: headersWith({}) });
  return Response.json({ error: "Not ready." }, { status: 503, headers: headersWith({ "Retry-After": "1" }) });
}
