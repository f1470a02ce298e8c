import type { Server } from "bun";
import { CODE_LENGTH, CODE_PATTERN, FRAMED_MARK } from "../../domain/model/names.ts";
import {
  countStatus,
  type RequestMeter,
  type RouteMeter,
  settleUntimed,
} from "../../observability/metrics/request-meter.ts";
import type { AnsweredRequest, ObserveRequest } from "../../observability/requests.ts";
import type { TraceContext, Tracing } from "../../observability/tracing/trace-context.ts";

import { ICON_PATHS } from "../http/icon.ts";
import { LIVE_PATH, READY_PATH } from "../http/ready.ts";

type Handler<Data> = (request: Request, server: Server<Data>) => Response | Promise<Response | undefined>;

export interface ContentObservers {
  /** Undefined if metrics are off. */
  meter: Pick<RequestMeter, "meterOf"> | undefined;
  /** Undefined if requests are neither logged nor traced. */
  observe: ObserveRequest | undefined;
  /** Whether to observe answers from memory too. Otherwise only those that waited for something, which can be slow. */
  isForAll: boolean;
  tracing: Pick<Tracing, "begin" | "run">;
}

/** Answers from memory, of which one is measured. Reading the clock twice takes longer than all other counting. */
const MEASURED_OF = 64;
const AT = "@".charCodeAt(0);
const TILDE = "~".charCodeAt(0);
const HYPHEN = "-".charCodeAt(0);
/** The status of a request that became a socket. */
const SWITCHED = 101;

/** Returns the handler itself if nothing observes its requests, so that this costs nothing. */
export function observeContent<Data>(handle: Handler<Data>, observers: ContentObservers): Handler<Data> {
  const { meter, observe, isForAll, tracing } = observers;
  if (meter === undefined && observe === undefined) return handle;
  const files = meter?.meterOf("content", FILES, "GET");
  let turn = 0;

  function meterFor(request: Request): RouteMeter | undefined {
    if (meter === undefined) return undefined;
    const { url, method } = request;
    if (method === "GET" && isFile(url, startOf(url))) return files;
    const { host, route } = routeOf(url);
    return meter.meterOf(host, route, method);
  }

  function noteFromMemory(request: Request, status: number, duration: number | undefined): void {
    const counted = meterFor(request);
    if (counted === undefined) return;
    countStatus(counted, status);
    if (duration === undefined) counted.untimed++;
    else settleUntimed(counted, duration, 1);
  }

  async function noteWhenAnswered(
    request: Request,
    answer: Promise<Response | undefined>,
    startedAt: number,
    trace: TraceContext | undefined,
  ): Promise<Response | undefined> {
    const response = await answer;
    const duration = performance.now() - startedAt;
    const status = response?.status ?? SWITCHED;
    const counted = meterFor(request);
    if (counted !== undefined) {
      countStatus(counted, status);
      counted.durations.observe(duration / 1000);
    }
    observe?.(describe(request, response, duration, trace ?? tracing.begin(request.headers)));
    return response;
  }

  /** Measures every request. */
  function observeAll(request: Request, server: Server<Data>): ReturnType<Handler<Data>> {
    const trace = tracing.begin(request.headers);
    const startedAt = performance.now();
    const answer = tracing.run(trace, () => handle(request, server));
    if (answer instanceof Promise) return noteWhenAnswered(request, answer, startedAt, trace);
    const duration = performance.now() - startedAt;
    noteFromMemory(request, answer.status, duration);
    observe?.(describe(request, answer, duration, trace));
    return answer;
  }

  /** Measures requests that wait for something, and few of those that are answered from memory. */
  function observeFew(request: Request, server: Server<Data>): ReturnType<Handler<Data>> {
    const isMeasured = meter !== undefined && ++turn % MEASURED_OF === 0;
    const startedAt = isMeasured ? performance.now() : 0;
    const answer = handle(request, server);
    if (answer instanceof Promise) {
      return noteWhenAnswered(request, answer, isMeasured ? startedAt : performance.now(), undefined);
    }
    noteFromMemory(request, answer.status, isMeasured ? performance.now() - startedAt : undefined);
    return answer;
  }

  return isForAll ? observeAll : observeFew;
}

function describe(
  request: Request,
  response: Response | undefined,
  duration: number,
  trace: TraceContext | undefined,
): AnsweredRequest {
  const { url, method } = request;
  const status = response?.status ?? SWITCHED;
  const requestId = response?.headers.get("x-request-id") ?? undefined;
  return { ...routeOf(url), method, status, duration, requestId, code: codeOf(url), trace };
}

const FILES = "/{code}/{file}";
const TICKETED = "/{ticket}/{code}/{file}";
const FRAMED = `/${FRAMED_MARK}/`;
const LIVE = "/@{owner}/{name}/";
const LIVE_PARTS = new Set(["~socket", "~current", "~versions"]);
const OWN = new Set<string>([LIVE_PATH, READY_PATH, ...Object.values(ICON_PATHS)]);
const UNKNOWN = "unknown";

/** Returns where a URL's path starts. */
const startOf = (url: string) => url.indexOf("/", "http://".length + 1) + 1;

/** Returns whether a URL has the form of a file's. Reads single characters, because every request comes through here. */
function isFile(url: string, start: number): boolean {
  const first = url.charCodeAt(start);
  if (first === AT || first === TILDE || first === HYPHEN) return false;
  return url.charCodeAt(start + CODE_LENGTH) === SLASH;
}

const SLASH = "/".charCodeAt(0);

/** Returns the template of a URL's path, and the host that it counts for. */
function routeOf(url: string): Pick<AnsweredRequest, "host" | "route"> {
  const start = startOf(url);
  const [path = ""] = url.slice(start - 1).split("?", 1);
  const first = url.charCodeAt(start);
  if (first === AT) {
    const part = path.slice(path.lastIndexOf("/") + 1);
    return { host: "live", route: LIVE_PARTS.has(part) ? LIVE + part : LIVE };
  }
  if (path.startsWith(FRAMED)) return { host: "content", route: `${FRAMED}{code}/{file}` };
  if (first === TILDE) return { host: "content", route: TICKETED };
  if (OWN.has(path)) return { host: "content", route: path };
  return { host: "content", route: isFile(url, start) || codeOf(url) !== undefined ? FILES : UNKNOWN };
}

/** Returns the code in a URL. */
function codeOf(url: string): string | undefined {
  const slash = startOf(url) - 1;
  const start = url.startsWith(FRAMED, slash) ? slash + FRAMED.length : slash + 1;
  const from = url.charCodeAt(start) === TILDE ? url.indexOf("/", start) + 1 : start;
  const code = url.slice(from, from + CODE_LENGTH);
  return CODE_PATTERN.test(code) ? code : undefined;
}
