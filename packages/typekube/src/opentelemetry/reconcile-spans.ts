import {
  context,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { ReconcileCause, ReconcileIdentity, ReconcileStep } from "@typekube/core/internal";
import { errorType } from "./attributes.js";
import type { Listeners } from "./subscriptions.js";

/** Keys whose last failed run is remembered, for a link from its retry. */
const maxRemembered = 1_000;

/** Causes that have a caller, whose span caused the run. Changes come from a watch, whatever was active at its start. */
const calledCauses: ReadonlySet<string> = new Set(["source", "trigger"]);

/**
 * Creates a span for each run of a controller. It is the root of a trace, since a run has several causes or none that is
 * known; links lead to the spans that were active where the run was triggered, and to the attempt before. Calls of clients
 * inside of the run are its children.
 */
export function reconcileSpans(tracer: Tracer): Listeners {
  const spans = new WeakMap<ReconcileIdentity, Span>();
  const steps = new WeakMap<ReconcileStep, Span>();
  const callers = new WeakMap<ReconcileCause, SpanContext>();
  const failed = new Map<string, SpanContext>();
  return {
    "typekube:reconcile.queued": ({ cause }) => {
      const caller = trace.getSpanContext(context.active());
      if (caller !== undefined && calledCauses.has(cause.type)) {
        callers.set(cause, caller);
      }
    },
    "typekube:reconcile.start": ({ run, causes, around }) => {
      const linked = [...causes.map((cause) => callers.get(cause)), failed.get(idOf(run))];
      failed.delete(idOf(run));
      const links: Link[] = linked.flatMap((one) => (one === undefined ? [] : [{ context: one }]));
      const attributes = attributesOf(run);
      const options = { attributes, links, root: true };
      const span = tracer.startSpan(`reconcile ${run.controller}`, options, ROOT_CONTEXT);
      spans.set(run, span);
      around((work) => context.with(trace.setSpan(ROOT_CONTEXT, span), work));
    },
    "typekube:reconcile.end": ({ run, result, error, reason }) => {
      const span = spans.get(run);
      if (span === undefined) {
        return;
      }
      spans.delete(run);
      span.setAttribute("typekube.result", result);
      if (reason !== undefined) {
        span.setAttribute("typekube.reason", reason);
      }
      if (result === "error") {
        fail(span, error);
      }
      if (result === "error" || result === "requeue") {
        remember(failed, idOf(run), span.spanContext());
      }
      span.end();
    },
    "typekube:reconcile.step.start": ({ step, around }) => {
      const { name, kind, apiVersion, object } = step;
      const span = tracer.startSpan(kind === undefined ? name : `${name} ${kind}`, {
        attributes: {
          "typekube.controller": step.controller,
          ...(apiVersion === undefined ? {} : { "k8s.api_version": apiVersion }),
          ...(kind === undefined ? {} : { "k8s.object.kind": kind }),
          ...(object === undefined ? {} : { "k8s.object.name": object }),
        },
      });
      steps.set(step, span);
      around((work) => context.with(trace.setSpan(context.active(), span), work));
    },
    "typekube:reconcile.step.end": (event) => {
      const span = steps.get(event.step);
      steps.delete(event.step);
      if ("error" in event && span !== undefined) {
        fail(span, event.error);
      }
      span?.end();
    },
  };
}

function attributesOf(run: ReconcileIdentity): Record<string, number | string> {
  const { namespace, uid } = run;
  return {
    "typekube.controller": run.controller,
    "typekube.reconcile_id": run.reconcileId,
    "typekube.attempt": run.attempt,
    "typekube.priority": run.priority,
    "typekube.queue_wait_ms": run.waitedMs,
    "k8s.api_version": run.apiVersion,
    "k8s.object.kind": run.kind,
    "k8s.object.name": run.name,
    ...(namespace === undefined ? {} : { "k8s.namespace.name": namespace }),
    ...(uid === undefined ? {} : { "k8s.object.uid": uid }),
  };
}

function fail(span: Span, error: unknown): void {
  const exception = error instanceof Error ? error : new Error(String(error));
  span.setAttribute("error.type", errorType(error));
  span.recordException(exception);
  span.setStatus({ code: SpanStatusCode.ERROR, message: exception.message });
}

function idOf({ controller, key }: ReconcileIdentity): string {
  return `${controller} ${key}`;
}

function remember(failed: Map<string, SpanContext>, id: string, span: SpanContext): void {
  failed.set(id, span);
  if (failed.size > maxRemembered) {
    const [oldest] = failed.keys();
    failed.delete(oldest as string);
  }
}
