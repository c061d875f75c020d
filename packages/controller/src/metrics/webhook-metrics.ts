import type { WebhookObserver } from "../webhook/endpoint/webhook-observer.js";
import type { Metrics } from "./register-families.js";

/** Returns an observer of webhooks that feeds their families. */
export function webhookMetrics(metrics: Metrics): WebhookObserver {
  return {
    onStart: ({ webhook }) => metrics.get("webhooksInFlight").inc({ webhook }),
    onReview({ webhook, code, durationMs }) {
      metrics.get("webhooksInFlight").dec({ webhook });
      metrics.get("webhookRequests").inc({ webhook, code: String(code) });
      metrics.get("webhookLatency").observe({ webhook }, durationMs / 1_000);
    },
    onPanic: () => metrics.get("webhookPanics").inc(),
    onCertificate({ ok }) {
      metrics.get("certificateReads").inc();
      if (!ok) {
        metrics.get("certificateErrors").inc();
      }
    },
  };
}
