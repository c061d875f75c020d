import { channel } from "node:diagnostics_channel";
import {
  type Context,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { diagnostics } from "@typekube/core/internal";
import { httpServer } from "@typekube/test-support/servers";
import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { instrumentTypeKube } from "typekube/opentelemetry";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "web", namespace: "shop" } };

/** Propagates the W3C trace context header; the propagator of the SDK's core is not among the dependencies. */
const traceparent: TextMapPropagator = {
  inject(active: Context, carrier, setter) {
    const span = trace.getSpanContext(active);
    if (span) {
      setter.set(carrier, "traceparent", `00-${span.traceId}-${span.spanId}-01`);
    }
  },
  extract: (active) => active,
  fields: () => ["traceparent"],
};

const spans = new InMemorySpanExporter();
let numbers: InMemoryMetricExporter;
let tracer: ReturnType<BasicTracerProvider["getTracer"]>;
let meters: MeterProvider;
let reader: PeriodicExportingMetricReader;

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(traceparent);
  spans.reset();
  numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  tracer = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(spans)],
  }).getTracer("test");
  reader = new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 1e9 });
  meters = new MeterProvider({ readers: [reader] });
});
afterEach(async () => {
  context.disable();
  propagation.disable();
  await meters.shutdown();
});

/** Returns the measurements of a metric, each with its attributes and its value. */
async function measured(name: string) {
  await reader.forceFlush();
  const all = numbers.getMetrics().at(-1)?.scopeMetrics ?? [];
  return all
    .flatMap((scope) => scope.metrics)
    .filter((metric) => metric.descriptor.name === name)
    .flatMap((metric) =>
      metric.dataPoints.map(({ attributes, value }) => ({ attributes, value: value as unknown })),
    );
}

describe("instrumentTypeKube", () => {
  it("creates a client span for each call under the active one, and sends its context with each attempt", async () => {
    const seen: (string | string[] | undefined)[] = [];
    await using server = await httpServer((request, response) => {
      seen.push(request.headers["traceparent"]);
      const status = seen.length === 1 ? 503 : 200;
      response.writeHead(status, {
        "content-type": "application/json",
        "retry-after": "0",
        "audit-id": "a-1",
      });
      response.end(JSON.stringify(pod));
    });
    await using client = await connect({ server: server.url, env: {} });
    using _instrumented = instrumentTypeKube({ tracer, meter: meters.getMeter("test") });
    const parent = tracer.startSpan("reconcile");
    await context.with(trace.setSpan(context.active(), parent), () =>
      client.resource(Pod, "shop").get("web"),
    );
    parent.end();
    const [span] = spans.getFinishedSpans();
    const { port } = new URL(server.url);
    expect(span?.name).toBe("GET /api/v1/namespaces/{namespace}/pods/{name}");
    expect(span?.kind).toBe(SpanKind.CLIENT);
    expect(span?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(span?.attributes).toEqual({
      "http.request.method": "GET",
      "url.template": "/api/v1/namespaces/{namespace}/pods/{name}",
      "server.address": "127.0.0.1",
      "server.port": Number(port),
      "k8s.verb": "get",
      "k8s.api_version": "v1",
      "k8s.resource": "pods",
      "k8s.namespace.name": "shop",
      "k8s.object.name": "web",
      "k8s.audit_id": "a-1",
      "http.response.status_code": 200,
      "http.request.resend_count": 1,
    });
    expect(span?.events.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        "retry",
        {
          "typekube.attempt": 1,
          "typekube.delay_ms": 0,
          "http.response.status_code": 503,
          "error.type": "503",
        },
      ],
    ]);
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(seen).toEqual(Array(2).fill(`00-${traceId}-${spanId}-01`));
  });

  it("records a failed call as an error by its status, its code, or the name of the abort reason", async () => {
    await using server = await httpServer((_request, response) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end("{}");
    });
    using _instrumented = instrumentTypeKube({ tracer, meter: meters.getMeter("test") });
    await using client = await connect({ server: server.url, env: {} });
    await client
      .resource(Pod, "shop")
      .find("web")
      .catch(() => undefined);
    await using refused = await connect({ server: "http://127.0.0.1:1", env: {} });
    const pods = refused.resource(Pod, "shop");
    await pods.get("web").catch(() => undefined);
    await pods.get("web", { signal: AbortSignal.abort() }).catch(() => undefined);
    expect(
      spans
        .getFinishedSpans()
        .map(({ status, attributes }) => [status.code, status.message, attributes["error.type"]]),
    ).toEqual([
      [SpanStatusCode.ERROR, "HTTP 404", "404"],
      [SpanStatusCode.ERROR, "ConnectionRefused", "ConnectionRefused"],
      [SpanStatusCode.ERROR, "AbortError", "AbortError"],
    ]);
  });

  it("H24: measures durations of calls, and counts attempts and retries", async () => {
    let calls = 0;
    await using server = await httpServer((_request, response) => {
      calls += 1;
      const status = calls % 3 === 0 ? 200 : 429;
      response.writeHead(status, { "content-type": "application/json", "retry-after": "0" });
      response.end(JSON.stringify(pod));
    });
    using _instrumented = instrumentTypeKube({ tracer, meter: meters.getMeter("test") });
    const random = Math.random;
    Math.random = () => 0;
    try {
      await using client = await connect({ server: server.url, env: {} });
      await client.resource(Pod, "shop").get("web");
      await client.resource(Pod, "shop").get("web");
    } finally {
      Math.random = random;
    }
    const byStatus = (points: Awaited<ReturnType<typeof measured>>) =>
      points.map(({ attributes, value }) => [attributes["http.response.status_code"], value]);
    expect(byStatus(await measured("typekube.client.attempts"))).toEqual([
      [429, 4],
      [200, 2],
    ]);
    expect(byStatus(await measured("typekube.client.retries"))).toEqual([[429, 4]]);
    const [duration] = await measured("http.client.request.duration");
    expect(duration).toMatchObject({
      attributes: { "http.response.status_code": 200, "k8s.verb": "get", "k8s.resource": "pods" },
      value: { count: 2 },
    });
  });

  it("X12: counts credential refreshes by result, and reports the earliest expiry", async () => {
    using _instrumented = instrumentTypeKube({ tracer, meter: meters.getMeter("test") });
    const refreshed = diagnostics("typekube:auth.refresh");
    const [one, two] = [{}, {}];
    const base = { source: "exec", reason: "first" } as const;
    const now = Date.now();
    refreshed.publish({ ...base, credentials: one, ok: true, expiresAt: now + 3_600_000 });
    refreshed.publish({ ...base, credentials: two, ok: true, expiresAt: now + 7_200_000 });
    refreshed.publish({ ...base, credentials: two, ok: false, failure: "exit" });
    expect(await measured("typekube.credentials.refreshes")).toEqual([
      {
        attributes: {
          "typekube.source": "exec",
          "typekube.reason": "first",
          "typekube.outcome": "ok",
        },
        value: 2,
      },
      {
        attributes: {
          "typekube.source": "exec",
          "typekube.reason": "first",
          "typekube.outcome": "exit",
        },
        value: 1,
      },
    ]);
    const [lifetime] = await measured("typekube.credentials.lifetime");
    expect(Math.ceil((lifetime?.value as number) / 3600)).toBe(1);
    expect([one, two]).toHaveLength(2);
  });

  it("removes everything when stopped, and can be stopped twice", async () => {
    const instrumented = instrumentTypeKube({ tracer, meter: meters.getMeter("test") });
    expect(channel("typekube:request.start").hasSubscribers).toBe(true);
    instrumented.stop();
    instrumented.stop();
    for (const name of ["request.start", "request.end", "auth.refresh", "watch.state"]) {
      expect(channel(`typekube:${name}`).hasSubscribers).toBe(false);
    }
  });
});
