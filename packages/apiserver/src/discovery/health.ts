import type { HttpResponse } from "@typekube/core/internal";
import { bytesResponse, textResponse } from "../response/responses.js";

type Endpoint = "healthz" | "livez" | "readyz";

/** What starts after kube-apiserver 1.37.1 itself, in the order in which it tells of them. */
const startHooks = [
  "start-apiserver-admission-initializer",
  "generic-apiserver-start-informers",
  "priority-and-fairness-config-consumer",
  "priority-and-fairness-filter",
  "storage-object-count-tracker-hook",
  "start-apiextensions-informers",
  "start-apiextensions-controllers",
  "crd-informer-synced",
  "start-system-namespaces-controller",
  "peer-endpoint-reconciler-controller",
  "start-cluster-authentication-info-controller",
  "start-kube-apiserver-identity-lease-controller",
  "start-kube-apiserver-identity-lease-garbage-collector",
  "storage-readiness",
  "start-legacy-token-tracking-controller",
  "start-service-ip-repair-controllers",
  "rbac/bootstrap-roles",
  "scheduling/bootstrap-system-priority-classes",
  "priority-and-fairness-config-producer",
  "bootstrap-controller",
  "start-kubernetes-service-cidr-controller",
  "start-kube-aggregator-informers",
  "apiservice-status-local-available-controller",
  "apiservice-status-remote-available-controller",
  "apiservice-registration-controller",
  "apiservice-discovery-controller",
  "kube-apiserver-autoregistration",
];
const common = [
  ...startHooks.map((name) => `poststarthook/${name}`),
  "autoregister-completion",
  "poststarthook/apiservice-openapi-controller",
  "poststarthook/apiservice-openapiv3-controller",
];
const alive = ["ping", "log", "loopback-serving-certificate", "etcd", ...common];
/** The check that fails while a server is being shut down. */
const shutdown = "shutdown";
const ready = ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...common, shutdown];

/** The checks of each endpoint, as kube-apiserver 1.37.1 has them. Programs look for some by name, whatever stands behind them. */
const checks: Readonly<Record<Endpoint, readonly string[]>> = {
  healthz: alive,
  livez: alive,
  readyz: ready,
};

/** The paths of all checks. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(
  ([endpoint, names]) => [`/${endpoint}`, ...names.map((name) => `/${endpoint}/${name}`)],
);

/**
 * What the server says of its health: as a whole, or of the check that the path names; `undefined` when it has no such
 * check. Nothing of a server in memory is ever unwell; one that is being shut down lives and answers still, and is not
 * ready: load balancers are to send nobody any more (apiserver `--shutdown-delay-duration`).
 */
export function healthResponse(
  [endpoint = "", ...path]: readonly string[],
  query: URLSearchParams,
  { isDraining }: { readonly isDraining: boolean },
): HttpResponse | undefined {
  if (!isEndpoint(endpoint)) {
    return undefined;
  }
  const names = checks[endpoint];
  const fails = (name: string) => name === shutdown && isDraining;
  if (path.length > 0) {
    const name = path.join("/");
    return names.includes(name) ? single(fails(name)) : undefined;
  }
  const excluded = new Set(query.getAll("exclude"));
  let failed = false;
  const lines = names.map((name) => {
    if (excluded.delete(name)) {
      return `[+]${name} excluded: ok`;
    }
    failed ||= fails(name);
    return fails(name) ? `[-]${name} failed: reason withheld` : `[+]${name} ok`;
  });
  if (excluded.size > 0) {
    const unknown = [...excluded].sort().map((name) => JSON.stringify(name));
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.join(",")}`);
  }
  const received = (result: string) => `${lines.join("\n")}\n${endpoint} check ${result}\n`;
  if (failed) {
    return textResponse(500, received("failed"));
  }
  return textResponse(200, query.has("verbose") ? received("passed") : "ok");
}

function isEndpoint(name: string): name is Endpoint {
  return Object.hasOwn(checks, name);
}

function single(hasFailed: boolean): HttpResponse {
  return hasFailed
    ? textResponse(500, "internal server error: process is shutting down\n")
    : bytesResponse(200, "text/plain; charset=utf-8", Buffer.from("ok"));
}
