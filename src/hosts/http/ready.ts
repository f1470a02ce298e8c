import type { Readiness, ReadinessReport } from "../../observability/readiness.ts";
import { isThisMachine } from "./client-address.ts";

/** Where load balancers ask on either host whether this copy of the program is to be sent requests. */
export const READY_PATH = "/-/ready";

interface Question {
  url: URL;
  /** Who asks, as limits count them. */
  address: string;
}

/** Answers whether the server is ready. Why it isn't is told with `?verbose`, and on this machine alone. */
export async function answerReady(
  { isReady, report }: Pick<Readiness, "isReady" | "report">,
  { url, address }: Question,
  headersWith: (extra: Record<string, string>) => Headers | Record<string, string>,
): Promise<Response> {
  const ready = await isReady();
  const parts = url.searchParams.has("verbose") && isThisMachine(address) ? describe(await report()) : {};
  if (ready) return Response.json({ ready, ...parts }, { headers: headersWith({}) });
  return Response.json(
    { error: "Not ready.", ...parts },
    { status: 503, headers: headersWith({ "Retry-After": "1" }) },
  );
}

const describe = ({ parts }: ReadinessReport) => ({
  parts: parts.map(({ since, ...part }) => ({ ...part, since: new Date(since).toISOString() })),
});
