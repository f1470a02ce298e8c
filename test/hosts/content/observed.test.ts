import { describe, expect, test } from "bun:test";
import type { Server } from "bun";
import { observeContent } from "../../../src/hosts/content/observed.ts";
import { exposeMetrics } from "../../../src/observability/metrics/exposition.ts";
import { createRequestMeter } from "../../../src/observability/metrics/request-meter.ts";
import type { AnsweredRequest } from "../../../src/observability/requests.ts";
import { createTracing } from "../../../src/observability/tracing/trace-context.ts";
import { readSamples } from "../../observability/metrics/promtool.ts";

const CODE = "Abcdefgh01234567";
const TICKET = "~1.1700000000.ref.mac";
const random = { bytes: (length: number) => new Uint8Array(length).fill(1) };
const tracing = createTracing({ random });
// The handlers of these tests don't use it.
const server = {} as Server<undefined>;

const requestFor = (path: string, init: RequestInit = {}) => new Request(`http://127.0.0.1:4001${path}`, init);
const answer = (status = 200) => new Response(null, { status });

/** Answers after 15 ms. A timer alone ends sooner by as long as the event loop was held before. */
async function answerLate(status: number): Promise<Response> {
  const end = performance.now() + 15;
  while (performance.now() < end) await Bun.sleep(1);
  return answer(status);
}

type Answer = Response | Promise<Response | undefined>;

function meteredHandler(handle: (request: Request) => Answer) {
  const meter = createRequestMeter();
  const observed = observeContent<undefined>(handle, { meter, observe: undefined, isForAll: false, tracing });
  const samples = async () => readSamples((await exposeMetrics(meter.families, null)).text);
  return { observed, samples };
}

const FILES = 'host="content",route="/{code}/{file}",method="GET"';

describe("the content host, observed", () => {
  test("is the handler itself if nothing observes it", () => {
    const handle = () => answer();
    expect(observeContent(handle, { meter: undefined, observe: undefined, isForAll: false, tracing })).toBe(handle);
  });

  test("counts each answer from memory, though it measures few", async () => {
    const { observed, samples } = meteredHandler(() => answer());
    for (let index = 0; index < 1000; index++) observed(requestFor(`/${CODE}/index.html`), server);
    const found = await samples();
    expect(found.get(`vitrine_http_requests_total{${FILES},status="200"}`)).toBe(1000);
    expect(found.get(`vitrine_http_request_duration_seconds_count{${FILES}}`)).toBe(1000);
    expect(found.get(`vitrine_http_request_duration_seconds_bucket{${FILES},le="0.25"}`)).toBe(1000);
  });

  test("measures each answer that waits for something", async () => {
    const { observed, samples } = meteredHandler(() => answerLate(206));
    await Promise.all(Array.from({ length: 5 }, () => observed(requestFor(`/${CODE}/film.mp4`), server)));
    const found = await samples();
    expect(found.get(`vitrine_http_requests_total{${FILES},status="206"}`)).toBe(5);
    expect(found.get(`vitrine_http_request_duration_seconds_bucket{${FILES},le="0.01"}`)).toBe(0);
    expect(found.get(`vitrine_http_request_duration_seconds_count{${FILES}}`)).toBe(5);
  });

  test("passes on what the handler answers, and that it fails", async () => {
    const response = answer();
    expect(meteredHandler(() => response).observed(requestFor("/"), server)).toBe(response);
    const failing = meteredHandler(() => Promise.reject(new Error("broken")));
    await expect(failing.observed(requestFor("/"), server)).rejects.toThrow("broken");
  });

  test.each([
    [`/${CODE}/`, "content", "/{code}/{file}", CODE],
    [`/${CODE}/data.json?download`, "content", "/{code}/{file}", CODE],
    [`/${CODE}`, "content", "/{code}/{file}", CODE],
    [`/${TICKET}/${CODE}/index.html`, "content", "/{ticket}/{code}/{file}", CODE],
    [`/~framed/${CODE}/index.html`, "content", "/~framed/{code}/{file}", CODE],
    [`/~framed/${TICKET}/${CODE}/`, "content", "/~framed/{code}/{file}", CODE],
    ["/~framed/review-0.js", "content", "/~framed/{code}/{file}", undefined],
    ["/@ada/sales/", "live", "/@{owner}/{name}/", undefined],
    ["/@ada/sales", "live", "/@{owner}/{name}/", undefined],
    ["/@ada/sales/~current", "live", "/@{owner}/{name}/~current", undefined],
    ["/@ada/sales/~socket?a=b", "live", "/@{owner}/{name}/~socket", undefined],
    ["/@ada/sales/~secret", "live", "/@{owner}/{name}/", undefined],
    ["/-/ready?verbose", "content", "/-/ready", undefined],
    ["/-/live", "content", "/-/live", undefined],
    ["/favicon.ico", "content", "/favicon.ico", undefined],
    ["/favicon.secret", "content", "unknown", undefined],
    ["/-/secret", "content", "unknown", undefined],
    ["/secret", "content", "unknown", undefined],
    ["/", "content", "unknown", undefined],
  ] as const)("names %s by its route, without what it holds", async (path, host, route, code) => {
    const seen: AnsweredRequest[] = [];
    const observers = { meter: undefined, observe: (request: AnsweredRequest) => void seen.push(request), tracing };
    for (const handle of [() => answer(404), () => Promise.resolve(answer(404))]) {
      await observeContent<undefined>(handle, { ...observers, isForAll: true })(requestFor(path), server);
    }
    const { observed, samples } = meteredHandler(() => answer(404));
    observed(requestFor(path), server);
    const method = "GET";
    expect(seen).toMatchObject([
      { host, route, method, status: 404 },
      { host, route, method, status: 404 },
    ]);
    expect(seen.map((request) => request.code)).toEqual([code, code]);
    expect(seen.every(({ duration }) => duration >= 0)).toBe(true);
    const labels = `{host="${host}",route="${route}",method="GET",status="404"}`;
    expect((await samples()).get(`vitrine_http_requests_total${labels}`)).toBe(1);
  });

  test("tells of slow answers alone, unless it observes all", async () => {
    const seen: number[] = [];
    const observers = {
      meter: undefined,
      observe: ({ status }: AnsweredRequest) => void seen.push(status),
      isForAll: false,
      tracing,
    };
    await observeContent<undefined>(() => answer(200), observers)(requestFor("/"), server);
    await observeContent<undefined>(() => Promise.resolve(answer(201)), observers)(requestFor("/"), server);
    await observeContent<undefined>(() => Promise.resolve(undefined), observers)(requestFor("/"), server);
    expect(seen).toEqual([201, 101]);
  });
});
