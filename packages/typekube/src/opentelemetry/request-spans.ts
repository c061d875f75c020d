import {
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapSetter,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { RequestIdentity, RequestStarted } from "@typekube/core/internal";
import { errorType, outcomeAttributes, requestAttributes } from "./attributes.js";
import type { Listeners } from "./subscriptions.js";

const setter: TextMapSetter<RequestStarted> = {
  set: (event, name, value) => event.addHeader(name, value),
};

/**
 * Creates a client span for each call, as a child of the span that is active where the call was made. It begins before
 * the first attempt and ends with the headers of the last response. Every attempt sends its context.
 */
export function requestSpans(tracer: Tracer): Listeners {
  const spans = new WeakMap<RequestIdentity, Span>();
  return {
    "typekube:request.start": (event) => {
      const { request } = event;
      const { namespace, name } = request;
      const span = tracer.startSpan(`${request.method} ${request.urlTemplate}`, {
        kind: SpanKind.CLIENT,
        attributes: {
          ...requestAttributes(request),
          ...(namespace === undefined ? {} : { "k8s.namespace.name": namespace }),
          ...(name === undefined ? {} : { "k8s.object.name": name }),
        },
      });
      spans.set(request, span);
      propagation.inject(trace.setSpan(context.active(), span), event, setter);
    },
    "typekube:request.response": ({ request, auditId }) => {
      if (auditId !== undefined) {
        spans.get(request)?.setAttribute("k8s.audit_id", auditId);
      }
    },
    "typekube:request.retry": ({ request, attempt, delayMs, status, error }) => {
      spans.get(request)?.addEvent("retry", {
        "typekube.attempt": attempt,
        "typekube.delay_ms": delayMs,
        ...outcomeAttributes({ status, error }),
      });
    },
    "typekube:request.end": ({ request, attempts, status, error }) => {
      const span = spans.get(request);
      if (!span) {
        return;
      }
      spans.delete(request);
      span.setAttributes(outcomeAttributes({ status, error }));
      if (attempts > 1) {
        span.setAttribute("http.request.resend_count", attempts - 1);
      }
      if (status === undefined || status >= 400) {
        const message = status === undefined ? errorType(error) : `HTTP ${status}`;
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
    },
  };
}
