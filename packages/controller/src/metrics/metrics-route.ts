import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { PlainResponse, Route } from "../http/http-listener.js";
import type { MetricsRegistry } from "./metrics-options.js";
import { openMetrics, openMetricsType, prefersOpenMetrics } from "./openmetrics.js";

const compress = promisify(gzip);

/** Path of the metrics. (controller-runtime `pkg/metrics/server`) */
export const metricsPath = "/metrics";

/** Returns a route that serves a registry, in the format and the encoding that the client accepts. */
export function metricsRoute(registry: MetricsRegistry): Route {
  return async ({ path, headers }): Promise<PlainResponse | undefined> => {
    if (path !== metricsPath) {
      return undefined;
    }
    const [type, text] =
      prefersOpenMetrics(headers.accept) && registry.contentType !== openMetricsType
        ? [openMetricsType, openMetrics(await registry.getMetricsAsJSON())]
        : [registry.contentType, await registry.metrics()];
    const plain = { "content-type": type, vary: "accept, accept-encoding" };
    return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(headers["accept-encoding"] ?? ""))
      ? {
          status: 200,
          headers: { ...plain, "content-encoding": "gzip" },
          body: await compress(text),
        }
      : { status: 200, headers: plain, body: text };
  };
}
