import type { Server } from "bun";
import type { exposeMetrics } from "../../observability/metrics/exposition.ts";
import type { FindAddress } from "./client-address.ts";
import type { BearsToken } from "./operator-token.ts";
import { answerLive, answerReady, LIVE_PATH, READY_PATH, type ReadyDependencies } from "./ready.ts";

export const METRICS_PATH = "/-/metrics";

/** Returns all metrics in a format that the client accepts. */
export type CollectMetrics = (accept: string | null) => ReturnType<typeof exposeMetrics>;

interface MetricsHostDependencies extends ReadyDependencies {
  collect: CollectMetrics;
  /** Whether requests need the metrics token. */
  needsToken: boolean;
  findAddress: FindAddress;
  bearsMetricsToken: BearsToken;
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const headersWith = (extra: Record<string, string>) => ({ ...HEADERS, ...extra });

/** Creates the handler of the metrics port, which also tells monitoring whether the server is live and ready. */
export function createMetricsHost(dependencies: MetricsHostDependencies) {
  return async (request: Request, server: Server<undefined>): Promise<Response> => {
    const url = URL.parse(request.url);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "Only GET is allowed here.", ALLOW);
    if (url?.pathname === LIVE_PATH) return answerLive(headersWith);
    if (url?.pathname === READY_PATH) {
      const address = dependencies.findAddress(request, server);
      return answerReady(dependencies, { url, headers: request.headers, address }, headersWith);
    }
    if (url?.pathname !== METRICS_PATH) return refuse(404, `Metrics are at ${METRICS_PATH}.`);
    if (dependencies.needsToken && !dependencies.bearsMetricsToken(request.headers)) {
      return refuse(401, "Send the header Authorization: Bearer with VITRINE_METRICS_TOKEN.", CHALLENGE);
    }
    return answerMetrics(dependencies.collect, request.headers);
  };
}

const ALLOW = { Allow: "GET, HEAD" };
const CHALLENGE = { "WWW-Authenticate": "Bearer" };

const refuse = (status: number, error: string, extra: Record<string, string> = {}) =>
  Response.json({ error }, { status, headers: headersWith(extra) });

/** Returns the metrics. */
export async function answerMetrics(collect: CollectMetrics, headers: Headers): Promise<Response> {
  const { text, contentType } = await collect(headers.get("accept"));
  return new Response(text, { headers: headersWith({ "Content-Type": contentType }) });
}
