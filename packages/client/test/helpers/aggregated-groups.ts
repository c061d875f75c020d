import { ScriptedServer, type TestResponse } from "@typekube/test-support/scripted-server";

/** A resource that a server lists in discovery. */
interface Received {
  readonly resource: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

const received = ({ resource, kind, shortNames = [], categories = [] }: Received) => ({
  resource,
  responseKind: { group: "", version: "", kind },
  scope: "Namespaced",
  singularResource: kind.toLowerCase(),
  shortNames,
  categories,
  verbs: ["get", "list"],
});

/** Returns a group in the aggregated form, preferred version first. */
export const group = (
  name: string,
  ...versions: readonly (readonly [string, ...Received[]])[]
) => ({
  metadata: { name },
  versions: versions.map(([version, ...resources]) => ({
    version,
    freshness: "Current",
    resources: resources.map(received),
  })),
});

const pods: Received = { resource: "pods", kind: "Pod", shortNames: ["po"], categories: ["all"] };
const deployments: Received = {
  resource: "deployments",
  kind: "Deployment",
  shortNames: ["deploy"],
  categories: ["all"],
};
/** The core group of {@link serving}. */
export const core = group("", [
  "v1",
  pods,
  { resource: "events", kind: "Event", shortNames: ["ev"] },
]);
/** The other groups of {@link serving}: 11 resources in all. */
export const groups = [
  group("apps", ["v1", deployments], ["v1beta1", deployments]),
  group("events.k8s.io", ["v1", { resource: "events", kind: "Event", shortNames: ["ev"] }]),
  group("metrics.k8s.io", ["v1beta1", { resource: "pods", kind: "PodMetrics" }]),
  group("a.io", ["v1", { resource: "queues", kind: "Queue", shortNames: ["q"] }]),
  group("b.io", ["v1beta1", { resource: "queues", kind: "Queue", shortNames: ["q"] }]),
  // Its preferred version is the older one (DEP7).
  group(
    "c.io",
    ["v1", { resource: "maps", kind: "Map" }],
    ["v2", { resource: "maps", kind: "Map" }],
  ),
  group("d.io", ["v1", { resource: "q", kind: "Other" }]),
];

/** Returns a response with groups in the aggregated form. */
export const aggregatedResponse = (items: readonly object[], headers = {}): TestResponse => ({
  headers,
  body: { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2", items },
});

/** Creates a server that lists {@link core} and {@link groups} in discovery, and nothing else. */
export const serving = () =>
  new ScriptedServer(({ url }) =>
    url === "/api" ? aggregatedResponse([core]) : aggregatedResponse(groups),
  );
