import type { Readiness, ReadinessReport } from "../../observability/readiness.ts";
import { isThisMachine } from "./client-address.ts";

/** The path, on both hosts, where load balancers check whether to send requests to this replica. */
export const READY_PATH = "/-/ready";

interface Question {
  url: URL;
  /** The client's address. */
  address: string;
}

/** Returns whether the server is ready. `?verbose` adds the state of its parts, for requests from this machine only. */
export async function answerReady(
  { isReady, report }: Pick<Readiness, "isReady" | "report">,
  { url, address }: Question,
  headersWith: (extra: Record<string, string>) => Headers | Record<string, string>,
): Promise<Response> {
  const ready = await isReady();
  const parts = url.searchParams.has("verbose") && isThisMachine(address) ? describe(await report()) : {};
  if (ready) return Response.json({ ready, ...parts }, { headers: headersWith({}) });
  return Response.json(
    { error: "The server isn't ready.", ...parts },
    { status: 503, headers: headersWith({ "Retry-After": "1" }) },
  );
}

const describe = ({ parts }: ReadinessReport) => ({
  parts: parts.map(({ since, ...part }) => ({ ...part, since: new Date(since).toISOString() })),
});
