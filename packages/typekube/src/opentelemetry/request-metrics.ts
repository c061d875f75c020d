import type { Meter } from "@opentelemetry/api";
import { errorType, outcomeAttributes, requestAttributes } from "./attributes.js";
import type { Listeners } from "./subscriptions.js";

/** Bucket boundaries in seconds, as the semantic conventions define them. */
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Measures durations of calls; counts attempts, retries, downgrades and state changes of watchers. */
export function requestMetrics(meter: Meter): Listeners {
  const duration = meter.createHistogram("http.client.request.duration", {
    unit: "s",
    description:
      "Duration of calls until the last response's headers, including waits and retries.",
    advice: { explicitBucketBoundaries: durationBuckets },
  });
  const attempts = meter.createCounter("typekube.client.attempts", {
    unit: "{attempt}",
    description: "Attempts with a response, by its status.",
  });
  const retries = meter.createCounter("typekube.client.retries", {
    unit: "{attempt}",
    description: "Attempts that were retried, by reason.",
  });
  const downgrades = meter.createCounter("typekube.client.downgrades", {
    unit: "{resource}",
    description: "Encodings that the client stopped using for a resource.",
  });
  const transitions = meter.createCounter("typekube.watch.transitions", {
    unit: "{transition}",
    description: "State changes of a watcher.",
  });
  return {
    "typekube:request.response": ({ request, status }) =>
      attempts.add(1, { ...requestAttributes(request), ...outcomeAttributes({ status }) }),
    "typekube:request.retry": ({ request, status, error }) =>
      retries.add(1, { ...requestAttributes(request), ...outcomeAttributes({ status, error }) }),
    "typekube:request.end": ({ request, durationMs, status, error }) =>
      duration.record(durationMs / 1000, {
        ...requestAttributes(request),
        ...outcomeAttributes({ status, error }),
      }),
    "typekube:decode.downgrade": ({ apiVersion, resource, from, reason }) =>
      downgrades.add(1, {
        "k8s.api_version": apiVersion,
        "k8s.resource": resource,
        "typekube.encoding": from,
        "typekube.reason": reason,
      }),
    "typekube:watch.state": ({ apiVersion, resource, to, reason, error }) =>
      transitions.add(1, {
        "k8s.api_version": apiVersion,
        "k8s.resource": resource,
        "typekube.state": to,
        ...(reason === undefined ? {} : { "typekube.reason": reason }),
        ...(error === undefined ? {} : { "error.type": errorType(error) }),
      }),
  };
}
