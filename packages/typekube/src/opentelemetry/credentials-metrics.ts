import type { Meter, ObservableCallback } from "@opentelemetry/api";
import type { Listeners } from "./subscriptions.js";

/** The channel listeners, and a function that stops the collection of values. */
export interface CredentialsMetrics {
  readonly listeners: Listeners;
  stop(): void;
}

/** Counts attempts to get credentials by their result, and measures the seconds until the first credentials expire. */
export function credentialsMetrics(meter: Meter): CredentialsMetrics {
  // Weak references: the expiry of credentials that are no longer in use does not matter.
  const ends = new Map<WeakRef<object>, number>();
  const refs = new WeakMap<object, WeakRef<object>>();
  const refreshes = meter.createCounter("typekube.credentials.refreshes", {
    unit: "{refresh}",
    description: "Attempts to get credentials, by source, reason and result.",
  });
  const lifetime = meter.createObservableGauge("typekube.credentials.lifetime", {
    unit: "s",
    description: "Seconds until the first credentials expire; negative after that.",
  });
  const observe: ObservableCallback = (result) => {
    let earliest = Number.POSITIVE_INFINITY;
    for (const [ref, expiresAt] of ends) {
      if (ref.deref() === undefined) {
        ends.delete(ref);
      } else {
        earliest = Math.min(earliest, expiresAt);
      }
    }
    if (Number.isFinite(earliest)) {
      result.observe((earliest - Date.now()) / 1000);
    }
  };
  lifetime.addCallback(observe);
  return {
    listeners: {
      "typekube:auth.refresh": ({ credentials, source, reason, ok, failure, expiresAt }) => {
        refreshes.add(1, {
          "typekube.source": source,
          "typekube.reason": reason,
          "typekube.outcome": ok ? "ok" : (failure ?? "error"),
        });
        if (!ok) {
          return;
        }
        const ref = refs.get(credentials) ?? new WeakRef(credentials);
        refs.set(credentials, ref);
        if (expiresAt === undefined) {
          ends.delete(ref);
        } else {
          ends.set(ref, expiresAt);
        }
      },
    },
    stop: () => lifetime.removeCallback(observe),
  };
}
