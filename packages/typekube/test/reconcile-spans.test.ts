import { channel } from "node:diagnostics_channel";
import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { controllerTest } from "@typekube/apiserver/testing";
import type { DiagnosticsEvents } from "@typekube/core/internal";
import { ConfigMap, Secret } from "typekube/api/core/v1";
import { defineController } from "typekube/controller";
import { instrumentTypeKube } from "typekube/opentelemetry";
import { afterEach, beforeEach, expect, test } from "vitest";

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer("test");

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  exporter.reset();
});
afterEach(() => {
  context.disable();
  propagation.disable();
});

function spansNamed(name: string): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.name === name);
}

const tea = { metadata: { name: "tea" } };

test("CM25: a run is a span with the attributes of its object, attempt and queue; client calls and applies are its children", async () => {
  using _instrumented = instrumentTypeKube({ tracer });
  const ids: string[] = [];
  const controller = defineController(ConfigMap, {
    name: "pots",
    owns: [Secret],
    async reconcile({ metadata }, run) {
      if (metadata.name === "tea") {
        ids.push(run.reconcileId);
        await run.apply(Secret, { metadata: { name: "cups" } });
        await run.live.get(ConfigMap, "tea");
      }
    },
  });
  await using t = await controllerTest(controller);
  const object = await t.client.resource(ConfigMap, "default").create(tea);
  await t.settled();
  const run = spansNamed("reconcile pots").find(
    ({ attributes }) => attributes["k8s.object.name"] === "tea",
  );
  expect(run?.parentSpanContext).toBeUndefined();
  expect(run?.attributes).toEqual({
    "typekube.controller": "pots",
    "typekube.reconcile_id": ids[0],
    "typekube.attempt": 1,
    "typekube.priority": 0,
    "typekube.queue_wait_ms": 0,
    "typekube.result": "success",
    "k8s.api_version": "v1",
    "k8s.object.kind": "ConfigMap",
    "k8s.object.name": "tea",
    "k8s.namespace.name": "default",
    "k8s.object.uid": object.metadata.uid,
  });
  const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
  const [apply] = spansNamed("apply Secret");
  expect(apply?.attributes).toMatchObject({
    "k8s.object.kind": "Secret",
    "k8s.object.name": "cups",
  });
  expect(parentOf(apply)).toBe(run?.spanContext().spanId);
  const [patch] = spansNamed("PATCH /api/v1/namespaces/{namespace}/secrets/{name}");
  expect(parentOf(patch)).toBe(apply?.spanContext().spanId);
  const get = spansNamed("GET /api/v1/namespaces/{namespace}/configmaps/{name}").at(-1);
  expect(parentOf(get)).toBe(run?.spanContext().spanId);
});

test("CM25: a failed run has an exception and the status error, and its retry links to it", async () => {
  using _instrumented = instrumentTypeKube({ tracer });
  let fails = true;
  const controller = defineController(ConfigMap, {
    name: "pots",
    reconcile({ metadata }) {
      if (metadata.name === "tea" && fails) {
        throw new TypeError("no pot");
      }
    },
  });
  await using t = await controllerTest(controller, { manager: { log() {} } });
  await t.client.resource(ConfigMap, "default").create(tea);
  await t.settled();
  fails = false;
  await t.advance(10);
  const [first, second] = spansNamed("reconcile pots").filter(
    ({ attributes }) => attributes["k8s.object.name"] === "tea",
  );
  expect(first?.status).toEqual({ code: SpanStatusCode.ERROR, message: "no pot" });
  expect(first?.attributes).toMatchObject({
    "typekube.result": "error",
    "error.type": "TypeError",
  });
  expect(first?.events[0]?.attributes?.["exception.message"]).toBe("no pot");
  expect(second?.attributes).toMatchObject({ "typekube.attempt": 2, "typekube.result": "success" });
  expect(second?.links.map((link) => link.context.spanId)).toEqual([first?.spanContext().spanId]);
  expect(second?.status.code).toBe(SpanStatusCode.UNSET);
});

test("CM25: a run links to the span that triggered it, and is not a part of its trace", async () => {
  using _instrumented = instrumentTypeKube({ tracer });
  const controller = defineController(ConfigMap, { name: "pots", reconcile() {} });
  await using t = await controllerTest(controller);
  await t.client.resource(ConfigMap, "default").create(tea);
  await t.settled();
  exporter.reset();
  const caller = tracer.startSpan("webhook of the tea house");
  context.with(trace.setSpan(context.active(), caller), () =>
    t.manager.controller("pots").trigger("default/tea"),
  );
  caller.end();
  await t.settled();
  const [run] = spansNamed("reconcile pots");
  expect(run?.links.map((link) => link.context.spanId)).toEqual([caller.spanContext().spanId]);
  expect(run?.spanContext().traceId).not.toBe(caller.spanContext().traceId);
});

test("CM25: a run that waits says why, and a stopped one is no error", async () => {
  using _instrumented = instrumentTypeKube({ tracer });
  const controller = defineController(ConfigMap, {
    name: "pots",
    reconcile({ metadata }, run) {
      if (metadata.name === "tea") {
        return run.notReady("WaterIsCold");
      }
      if (metadata.name === "coffee") {
        return new Promise((_, reject) => {
          run.signal.addEventListener("abort", () => reject(run.signal.reason));
        });
      }
      return undefined;
    },
  });
  await using t = await controllerTest(controller);
  const configMaps = t.client.resource(ConfigMap, "default");
  await configMaps.create(tea);
  await t.settled();
  await configMaps.create({ metadata: { name: "coffee" } });
  await t.api.settled();
  await t.manager.stop();
  const results = spansNamed("reconcile pots")
    .filter(({ attributes }) => /tea|coffee/.test(String(attributes["k8s.object.name"])))
    .map(({ attributes, status }) => [
      attributes["typekube.result"],
      attributes["typekube.reason"],
      status.code,
    ]);
  expect(results).toContainEqual(["requeue", "WaterIsCold", SpanStatusCode.UNSET]);
  expect(results).toContainEqual(["aborted", undefined, SpanStatusCode.UNSET]);
});

test("CM25: events are written outside of the trace of the run that recorded them", async () => {
  using _instrumented = instrumentTypeKube({ tracer });
  const controller = defineController(ConfigMap, {
    name: "pots",
    reconcile(object, run) {
      run.events.normal(object, "Brewed", "");
    },
  });
  await using t = await controllerTest(controller);
  await t.client.resource(ConfigMap, "default").create(tea);
  await t.settled();
  const posts = spansNamed("POST /apis/events.k8s.io/v1/namespaces/{namespace}/events");
  expect(posts.length).toBeGreaterThan(0);
  expect(posts.map(({ parentSpanContext }) => parentSpanContext)).toEqual(
    posts.map(() => undefined),
  );
});

test("CM26: without subscribers nothing is published, and nobody can surround a run afterwards", async () => {
  const events: DiagnosticsEvents["typekube:reconcile.start"][] = [];
  const listener = (event: unknown) => {
    events.push(event as (typeof events)[number]);
  };
  const controller = defineController(ConfigMap, { name: "pots", reconcile() {} });
  await using t = await controllerTest(controller);
  await t.settled(); // the ConfigMaps of a fresh cluster
  channel("typekube:reconcile.start").subscribe(listener);
  await t.client.resource(ConfigMap, "default").create(tea);
  await t.settled();
  channel("typekube:reconcile.start").unsubscribe(listener);
  const [event] = events;
  expect(event?.run).toMatchObject({ controller: "pots", key: "default/tea", attempt: 1 });
  let isCalled = false;
  event?.around((work) => {
    isCalled = true;
    return work();
  });
  t.manager.controller("pots").trigger("default/tea");
  await t.settled();
  expect(isCalled).toBe(false);
  expect(events.length).toBe(1);
});
