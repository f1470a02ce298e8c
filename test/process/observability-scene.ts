import { expect } from "bun:test";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { searchRoute } from "../../src/contract/search/search.ts";
import { startCollector } from "../observability/tracing/collector.ts";
import { bearer } from "../support/content.ts";
import { logged } from "../support/log.ts";
import { buildUpload, PASSWORD, startService, uniqueName, useService } from "../support/service.ts";
import { pageClient, post, signIn } from "../support/sessions.ts";
import { use } from "../support/use.ts";

export const METRICS_TOKEN = "metrics-token-hunter1";
const TITLE = "Salaries of all hunter2";

/** Starts a server with metrics, a full log and traces, and sends it requests of a user and of readers. */
export function createObservabilityScene() {
  const collector = use(startCollector);
  const service = use(async () => {
    const started = await startService({
      environment: {
        VITRINE_METRICS_PORT: "0",
        VITRINE_METRICS_TOKEN: METRICS_TOKEN,
        VITRINE_REQUEST_LOG: "all",
        VITRINE_LOG_LEVEL: "debug",
        VITRINE_SLOW_QUERY: "1ms",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_BSP_SCHEDULE_DELAY: "20",
        OTEL_SERVICE_NAME: "reports",
      },
    });
    const [, metricsUrl = ""] = await logged(started, /metrics +(\S+)\n/);
    return { ...started, metricsUrl };
  });
  const user = use(() => service.build.user());

  const publish = (overrides: Parameters<typeof buildUpload>[0]) =>
    service.client(user.token).call(uploadRoute, { body: buildUpload(overrides) });

  const traffic = use(async () => {
    /** Everything that no metric, line of the log or trace may contain. */
    const secrets: string[] = [METRICS_TOKEN, TITLE, PASSWORD, "hunter"];
    const name = uniqueName("hunter");
    const { code } = await publish({ name, title: TITLE });
    const open = await publish({ visibility: "public" });
    for (let index = 0; index < 100; index++) await fetch(open.url);
    await fetch(`${open.url}missing.css`);
    const cookie = await signIn(service, user);
    const page = await fetch(`${service.baseUrl}/${code}/`, { headers: { Cookie: cookie } });
    const [, ticketed = ""] = /(http[^"\\]*\/~1\.[^"\\]*)/.exec(await page.text()) ?? [];
    expect((await fetch(ticketed)).status).toBe(200);
    const [ticket = ""] = new URL(ticketed).pathname.split("/").filter((part) => part.startsWith("~1."));
    for (const path of ["/-/set-up?token=hunter3", "/-/invitation?token=hunter4", "/-/sign-in?next=/hunter5"]) {
      await fetch(service.baseUrl + path, { headers: { Cookie: cookie } });
    }
    await fetch(`${service.baseUrl}/api/search?q=hunter6`, { headers: bearer(user.token) });
    await fetch(`${service.baseUrl}/${ticket}/${code}/`);
    await post(service, "/api/auth/sign-in/email", { email: user.email, password: "hunter7" });
    await fetch(`${service.baseUrl}/api/report?code=hunter8`, { headers: bearer("vtr_hunter9") });
    await pageClient(service, cookie).call(searchRoute, { query: { owner: user.slug } });
    secrets.push(user.token, ticket, ...cookie.split("=").slice(1), name);
    return { code, secrets };
  });

  return { collector, service, user, publish, traffic };
}

/** Provides a server without metrics, which logs no requests. */
export const useQuietService = () =>
  useService({
    environment: { VITRINE_REQUEST_LOG: "off", VITRINE_LOG_FORMAT: "text", VITRINE_SLOW_QUERY: "1ms" },
  });
