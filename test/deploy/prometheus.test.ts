import { describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { run } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const DEPLOY = new URL("../../deploy/", import.meta.url).pathname;
const RULES = join(DEPLOY, "prometheus/alerts.yaml");
const promtool = Bun.which("promtool");

const rulesSchema = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string(),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.object({ severity: z.enum(["critical", "warning", "info"]) }),
          annotations: z.object({ summary: z.string(), description: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const rules = rulesSchema
  .parse(Bun.YAML.parse(await readFile(RULES, "utf8")))
  .groups.flatMap(({ rules: inGroup }) => inGroup);

/** Series in the notation of promtool, with the labels that Prometheus adds. */
const series = (name: string, values: string, labels: Record<string, string> = {}) => {
  const all = { job: "vitrine", instance: "a:9464", ...labels };
  const pairs = Object.entries(all).map(([key, value]) => `${key}="${value}"`);
  return { series: `${name}{${pairs.join(",")}}`, values };
};

/** A histogram of which all new values are above one bound and at most at the next. */
const histogram = (name: string, { below, at }: { below: string; at: string }, labels: Record<string, string> = {}) => [
  series(`${name}_bucket`, "0x1500", { ...labels, le: below }),
  series(`${name}_bucket`, "0+60x1500", { ...labels, le: at }),
  series(`${name}_bucket`, "0+60x1500", { ...labels, le: "+Inf" }),
];

const requests = "vitrine_http_requests_total";
const durations = "vitrine_http_request_duration_seconds";
const files = { host: "content", route: "/{code}/{file}", method: "GET" };
const uploads = { host: "app", route: "/api/upload", method: "POST" };
/** In minutes. */
const DAY = 24 * 60;
const HOURS = 2 * 60;
const GIGABYTE = 2 ** 30;

/** A day of a server that is well: uploads take long, old errors are over, and the backup succeeds every 24 hours. */
const HEALTHY = [
  series("up", "1x1500"),
  series("vitrine_ready", "1x1500"),
  series(requests, "0+6000x1500", { ...files, status: "200" }),
  series(requests, "50+1x1500", { ...files, status: "404" }),
  series(requests, "30+30x1500", { ...uploads, status: "507" }),
  series(requests, "500x1500", { ...files, status: "500" }),
  ...histogram(durations, { below: "0.001", at: "0.005" }, files),
  ...histogram(durations, { below: "10", at: "30" }, uploads),
  ...histogram("vitrine_event_loop_delay_seconds", { below: "0.005", at: "0.01" }),
  series("vitrine_disk_free_bytes", `${100 * GIGABYTE}-${2 ** 20}x1500`),
  series("vitrine_disk_reserve_bytes", `${GIGABYTE}x1500`),
  series("vitrine_part_state", "1x1500", { part: "sweep", state: "ok" }),
  series("vitrine_part_state", "0x1500", { part: "sweep", state: "degraded" }),
  series("vitrine_task_failures", "1 1 0x1500", { task: "sweep" }),
  series("vitrine_task_failures", "1 1 0x1500", { task: "backup" }),
  series("vitrine_task_last_success_timestamp_seconds", "0x1440 86400x100", { task: "backup" }),
  series("vitrine_damaged_reports", "0x1500"),
  series("vitrine_thread_restarts_total", "3x1500", { thread: "compressor" }),
  series("vitrine_queue_length", "0 50 0x1500", { queue: "uploads" }),
  series("vitrine_nearly_full_workspaces", "0x1500", { plan: "pro" }),
  series("vitrine_database_errors_total", "12x1500", { kind: "write" }),
  series("vitrine_database_waiting_calls", "7 9 0x1500"),
  series("vitrine_blob_errors_total", "12x1500", { operation: "read" }),
];

interface Incident {
  alert: string;
  input: { series: string; values: string }[];
  /** Minutes until it must be firing. */
  after: number;
  /** What distinguishes it, apart from the name and severity. */
  labels?: Record<string, string>;
}

const onReplica = { job: "vitrine", instance: "a:9464" };
const INCIDENTS: Incident[] = [
  { alert: "VitrineDown", input: [series("up", "1x5 0x20")], after: 9, labels: onReplica },
  { alert: "VitrineNotReady", input: [series("vitrine_ready", "1x5 0x20")], after: 9, labels: onReplica },
  {
    alert: "VitrineServerErrors",
    input: [
      series(requests, "0+6000x60", { ...files, status: "200" }),
      series(requests, "0+120x60", { ...files, status: "500" }),
    ],
    after: 12,
    labels: onReplica,
  },
  {
    alert: "VitrineSlowRequests",
    input: histogram(durations, { below: "1", at: "2.5" }, files),
    after: 25,
    labels: { ...onReplica, host: "content" },
  },
  {
    alert: "VitrineEventLoopHeld",
    input: histogram("vitrine_event_loop_delay_seconds", { below: "0.1", at: "0.25" }),
    after: 25,
    labels: onReplica,
  },
  {
    alert: "VitrineDiskReserve",
    input: [series("vitrine_disk_free_bytes", "1000x20"), series("vitrine_disk_reserve_bytes", "2000x20")],
    after: 3,
    labels: onReplica,
  },
  {
    alert: "VitrineDiskFillingUp",
    input: [
      series("vitrine_disk_free_bytes", `${100 * GIGABYTE}-${GIGABYTE / 10}x600`),
      series("vitrine_disk_reserve_bytes", `${GIGABYTE}x600`),
    ],
    after: 300,
    labels: onReplica,
  },
  {
    alert: "VitrineSweepHeld",
    input: [series("vitrine_part_state", "1x20", { part: "sweep", state: "degraded" })],
    after: 7,
    labels: { job: "vitrine" },
  },
  {
    alert: "VitrineTaskFailed",
    input: [series("vitrine_task_failures", "1x100", { task: "expiry" })],
    after: 70,
    labels: { job: "vitrine", task: "expiry" },
  },
  {
    alert: "VitrineBackupFailed",
    input: [series("vitrine_task_failures", "1x100", { task: "backup" })],
    after: 20,
    labels: { job: "vitrine" },
  },
  {
    alert: "VitrineBackupOld",
    input: [series("vitrine_task_last_success_timestamp_seconds", "0x2000", { task: "backup" })],
    after: 27 * 60,
    labels: { job: "vitrine" },
  },
  {
    alert: "VitrineDamagedReports",
    input: [series("vitrine_damaged_objects", "0x20"), series("vitrine_damaged_reports", "2x20")],
    after: 3,
    labels: { job: "vitrine" },
  },
  {
    alert: "VitrineThreadRestarts",
    input: [series("vitrine_thread_restarts_total", "0x5 1x20", { thread: "compressor" })],
    after: 8,
    labels: { ...onReplica, thread: "compressor" },
  },
  {
    alert: "VitrineUploadsWaiting",
    input: [series("vitrine_queue_length", "30x20", { queue: "uploads" })],
    after: 7,
    labels: { ...onReplica, queue: "uploads" },
  },
  {
    alert: "VitrineQuotaNearlyFull",
    input: [series("vitrine_nearly_full_workspaces", "3x100", { plan: "pro" })],
    after: 70,
    labels: { job: "vitrine", plan: "pro" },
  },
  {
    alert: "VitrineDatabaseErrors",
    input: [series("vitrine_database_errors_total", "0+3x30", { kind: "write" })],
    after: 12,
    labels: onReplica,
  },
  {
    alert: "VitrineDatabaseConnectionsExhausted",
    input: [series("vitrine_database_waiting_calls", "0x3 4x20")],
    after: 12,
    labels: onReplica,
  },
  {
    alert: "VitrineBlobErrors",
    input: [series("vitrine_blob_errors_total", "0+3x30", { operation: "read" })],
    after: 12,
    labels: onReplica,
  },
];

const firing = (after: number, samples: { labels: string; value: number }[]) => ({
  expr: 'ALERTS{alertstate="firing"}',
  eval_time: `${after}m`,
  exp_samples: samples,
});

function testOf({ alert, input, after, labels = {} }: Incident) {
  const severity = rules.find((rule) => rule.alert === alert)?.labels.severity ?? "";
  const pairs = Object.entries({ alertname: alert, alertstate: "firing", severity, ...labels });
  const sample = { labels: `ALERTS{${pairs.map(([key, value]) => `${key}="${value}"`).join(", ")}}`, value: 1 };
  return { name: alert, interval: "1m", input_series: input, promql_expr_test: [firing(after, [sample])] };
}

describe("the alert rules", () => {
  test("link each alert to its part of the operating guide", async () => {
    const guide = await readFile(join(DEPLOY, "../docs/operating.md"), "utf8");
    for (const { alert, annotations } of rules) {
      const anchor = alert.replace(/(?<!^)([A-Z])/g, "-$1").toLowerCase();
      expect(annotations.runbook).toBe(`docs/operating.md#${anchor}`);
      const words = anchor.replaceAll("-", " ");
      expect(guide).toContain(`\n### ${words.charAt(0).toUpperCase()}${words.slice(1)}\n\n\`${alert}\`: `);
    }
  });

  test("all have an incident in this file", () => {
    expect(INCIDENTS.map(({ alert }) => alert)).toEqual(rules.map(({ alert }) => alert));
  });
});

describeIf("promtool", promtool === null ? "Debian's prometheus missing" : undefined, () => {
  test("accepts the configuration and the rules", async () => {
    const directory = join(DEPLOY, "prometheus");
    const { code, stdout, stderr } = await run(["promtool", "check", "config", "prometheus.yaml"], { directory });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${rules.length} rules found`);
  });

  /** Evaluates the rules at an interval. */
  async function evaluate(evaluation_interval: string, tests: readonly object[]): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-alerts-"));
    try {
      const path = join(directory, "alerts.test.yaml");
      // JSON is YAML.
      await writeFile(path, JSON.stringify({ rule_files: [RULES], evaluation_interval, tests }));
      const { code, stdout, stderr } = await run(["promtool", "test", "rules", path]);
      expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining("SUCCESS") });
    } finally {
      await rm(directory, { recursive: true });
    }
  }

  const isLong = ({ after }: Incident) => after > HOURS;

  test("finds each alert firing in its incident, and no other", async () => {
    await evaluate("1m", INCIDENTS.filter((incident) => !isLong(incident)).map(testOf));
  });

  test("finds slow alerts firing after hours, and none on a healthy day", async () => {
    const healthy = {
      name: "a healthy day",
      interval: "1m",
      input_series: HEALTHY,
      promql_expr_test: [10, 90, 12 * 60, DAY + 30].map((after) => firing(after, [])),
    };
    // Evaluating a day every minute would take 10 seconds.
    await evaluate("10m", [healthy, ...INCIDENTS.filter(isLong).map(testOf)]);
  });
});

describe("the dashboard", () => {
  test("is the only one, and every panel has a query", async () => {
    expect(await readdir(join(DEPLOY, "grafana"))).toEqual(["vitrine.json"]);
    const panelSchema = z.object({ type: z.string(), title: z.string(), targets: z.array(z.unknown()).optional() });
    const { panels } = z
      .object({ panels: z.array(panelSchema) })
      .parse(JSON.parse(await readFile(join(DEPLOY, "grafana/vitrine.json"), "utf8")));
    expect(panels.filter(({ type, targets }) => type !== "row" && (targets ?? []).length === 0)).toEqual([]);
  });
});
