import { describe, expect, test } from "bun:test";
import { SettingError } from "../../src/settings/setting-error.ts";
import { readSettings } from "../../src/settings/settings.ts";

const read = (environment: Record<string, string>) => readSettings(environment).tracing;

function errorOf(environment: Record<string, string>): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return "";
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("the export of traces", () => {
  test.each([
    [{}],
    [{ OTEL_SERVICE_NAME: "reports" }],
    [{ ...ENDPOINT, OTEL_TRACES_EXPORTER: "none" }],
    [{ ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE" }],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: " " }],
  ])("is off with %j", (environment: Record<string, string>) => {
    expect(read(environment)).toBeUndefined();
  });

  test("has OpenTelemetry's defaults", () => {
    expect(read(ENDPOINT)).toEqual({
      url: "http://collector:4318/v1/traces",
      headers: {},
      timeout: 10_000,
      delay: 5_000,
      resource: { "service.name": "vitrine" },
      sampler: "parentbased_always_on",
      ratio: 1,
    });
    expect(read({ OTEL_TRACES_EXPORTER: "otlp" })?.url).toBe("http://localhost:4318/v1/traces");
  });

  test("reads what is set", () => {
    expect(
      read({
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://unused:4318",
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://collector.example.org/traces",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20YTpi, x-tenant = one",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_TIMEOUT: "2000",
        OTEL_BSP_SCHEDULE_DELAY: "100",
        OTEL_SERVICE_NAME: "reports",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=other,deployment.environment=prod",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.1",
      }),
    ).toEqual({
      url: "https://collector.example.org/traces",
      headers: { authorization: "Basic YTpi", "x-tenant": "one" },
      timeout: 2_000,
      delay: 100,
      resource: { "service.name": "reports", "deployment.environment": "prod" },
      sampler: "traceidratio",
      ratio: 0.1,
    });
  });

  test.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:hunter2@collector"],
    ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://collector"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "hunter2"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "key=%hunter2"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s"],
    ["OTEL_BSP_SCHEDULE_DELAY", "0"],
    ["OTEL_RESOURCE_ATTRIBUTES", "=value"],
    ["OTEL_TRACES_EXPORTER", "jaeger"],
    ["OTEL_TRACES_SAMPLER", "sometimes"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
  ])("names a wrong %s=%s in one line, without secrets", (name, value) => {
    const message = errorOf({ ...ENDPOINT, [name]: value });
    expect(message).toMatch(new RegExp(`^${name} [^\\n]+\\.$`));
    expect(message).not.toContain("hunter2");
  });
});
