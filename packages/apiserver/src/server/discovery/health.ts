import type { HttpResponse } from "@typekube/core/internal";
import { bytesResponse, textResponse } from "../../response/responses.js";

type Endpoint = "healthz" | "livez" | "readyz";

/** Post-start hooks of kube-apiserver 1.37.1, in the order in which it reports them. */
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
/** Name of the check that fails during shutdown. */
const shutdown = "shutdown";
const ready = ["ping", "log", "etcd", "etcd-readiness", "informer-sync", ...common, shutdown];

/** Checks of each endpoint, as in kube-apiserver 1.37.1. Some programs request checks by name, whatever they test. */
const checks: Readonly<Record<Endpoint, readonly string[]>> = {
  healthz: alive,
  livez: alive,
  readyz: ready,
};

/** Paths of all checks. */
export const healthPaths: readonly string[] = Object.entries(checks).flatMap(
  ([endpoint, names]) => [`/${endpoint}`, ...names.map((name) => `/${endpoint}/${name}`)],
);

/**
 * Returns the health of the server, or the result of the check named by the path; `undefined` for an unknown check. All
 * checks of an in-memory server succeed, except during shutdown: then it is live and still serves requests but is not
 * ready, so that load balancers stop sending clients to it (apiserver `--shutdown-delay-duration`).
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
