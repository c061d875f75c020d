import type { ClientCore } from "@typekube/client";
import type { Clock } from "@typekube/core/internal";
import type { Route } from "../http/http-listener.js";
import type { WebhookObserver } from "../webhook/endpoint/webhook-observer.js";
import { clientMetrics } from "./client-metrics.js";
import { type ControllerMetrics, controllerMetrics } from "./controller-metrics.js";
import { type FamilyName, families } from "./families.js";
import type { MetricsOptions, MetricsRegistry } from "./metrics-options.js";
import { metricsPath, metricsRoute } from "./metrics-route.js";
import { protectedRoute } from "./protection.js";
import { loadPromClient, registerFamilies } from "./register-families.js";
import { webhookMetrics } from "./webhook-metrics.js";

/** The metrics of a manager. */
export interface ManagerMetrics {
  /** Serves them. */
  readonly route: Route;
  /** Returns the metrics of a controller. */
  of(controller: string): ControllerMetrics;
  /** Feeds the families of leader election, by the name of the lease. */
  readonly election: {
    leading(name: string, isLeader: boolean): void;
    /** Counts a renewal that had to read the lease first. */
    slowPath(name: string): void;
  };
  /** Feeds the families of webhooks. */
  readonly webhooks: WebhookObserver;
  /** Ends the measurement of requests, and takes the families out of the registry. */
  close(): void;
}

/** Families that are there only when they are asked for, as in controller-runtime. */
const onRequest: ReadonlySet<FamilyName> = new Set(["requestDuration", "requestRetries"]);

/**
 * Creates the metrics of a manager.
 *
 * @throws {KubeError} `Config` when prom-client is not installed.
 */
export async function createManagerMetrics(
  options: MetricsOptions,
  { client, clock }: { readonly client: ClientCore; readonly clock: Clock },
): Promise<ManagerMetrics> {
  const { requestDurations = false, protect = false } = options;
  const prom = await loadPromClient();
  const registry: MetricsRegistry = options.registry ?? new prom.Registry();
  const names = (Object.keys(families) as FamilyName[]).filter(
    (name) => requestDurations || !onRequest.has(name),
  );
  const metrics = registerFamilies(prom, registry, names);
  const stopClients = clientMetrics(metrics, requestDurations);
  const route = metricsRoute(registry);
  const guarded = protectedRoute(client, clock, route);
  return {
    route: protect
      ? (request) => (request.path === metricsPath ? guarded(request) : undefined)
      : route,
    of: (controller) => controllerMetrics(metrics, controller),
    election: {
      leading: (name, isLeader) => metrics.get("isLeader").set({ name }, isLeader ? 1 : 0),
      slowPath: (name) => metrics.get("slowPath").inc({ name }),
    },
    webhooks: webhookMetrics(metrics),
    close() {
      stopClients();
      metrics.remove();
    },
  };
}
