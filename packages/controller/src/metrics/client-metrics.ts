import { type DiagnosticsEvents, diagnostics, type RequestIdentity } from "@typekube/core/internal";
import type { Metrics } from "./register-families.js";

/** Label of a request without a response. (client-go `rest/request.go` updateRequestResultMetric) */
const noResponse = "<error>";

/**
 * Measures the requests of all clients of this process, by their diagnostics channels.
 *
 * @param hasDurations - `true` if the families of durations and retries are registered.
 * @returns a function that ends it.
 */
export function clientMetrics(metrics: Metrics, hasDurations: boolean): () => void {
  const requests = metrics.get("requests");
  const count = ({ method, server }: RequestIdentity, code: string) =>
    requests.inc({ code, method, host: hostOf(server) });
  const undo = [
    listen("typekube:request.response", ({ request, status, durationMs }) => {
      count(request, String(status));
      if (hasDurations) {
        const labels = { verb: request.method, host: hostOf(request.server) };
        metrics.get("requestDuration").observe(labels, durationMs / 1_000);
      }
    }),
    listen("typekube:request.retry", ({ request, status }) => {
      if (status === undefined) {
        count(request, noResponse);
      }
      if (hasDurations) {
        const code = status === undefined ? noResponse : String(status);
        const labels = { code, verb: request.method, host: hostOf(request.server) };
        metrics.get("requestRetries").inc(labels);
      }
    }),
    listen("typekube:request.error", ({ request, attempt }) => {
      if (attempt > 0) {
        count(request, noResponse);
      }
    }),
  ];
  return () => {
    for (const stop of undo) {
      stop();
    }
  };
}

function listen<Name extends keyof DiagnosticsEvents>(
  name: Name,
  listener: (event: DiagnosticsEvents[Name]) => void,
): () => void {
  const onEvent = (event: unknown) => listener(event as DiagnosticsEvents[Name]);
  diagnostics(name).subscribe(onEvent);
  return () => diagnostics(name).unsubscribe(onEvent);
}

const hosts = new Map<string, string>();
/** Servers whose hosts are remembered. */
const maxHosts = 100;

/** Returns `host:port` of a server. */
function hostOf(server: string): string {
  let host = hosts.get(server);
  if (host === undefined) {
    host = URL.canParse(server) ? new URL(server).host : server;
    if (hosts.size < maxHosts) {
      hosts.set(server, host);
    }
  }
  return host;
}
