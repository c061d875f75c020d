import type { JsonObject } from "../../store/json-value.js";
import { wellKnown } from "../user.js";

/** A role that every cluster has. */
export interface DefaultRole {
  readonly name: string;
  /** The roles that it is added to, by their aggregation label. */
  readonly joins?: readonly string[];
  /** Made of the roles that join it. */
  readonly aggregates?: string;
  readonly rules: readonly JsonObject[];
}

const read = ["get", "list", "watch"];
const write = ["create", "delete", "deletecollection", "patch", "update"];
const all = ["*"];
const rules = (group: string, verbs: readonly string[], resources: string): JsonObject => ({
  verbs,
  apiGroups: group.split("+"),
  resources: resources.split(" "),
});
const paths = (nonResourceURLs: string): JsonObject => ({
  verbs: ["get"],
  nonResourceURLs: nonResourceURLs.split(" "),
});

const viewed: readonly JsonObject[] = [
  rules(
    "",
    read,
    "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
  ),
  rules(
    "",
    read,
    "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
  ),
  rules("", read, "namespaces"),
  rules("+events.k8s.io", read, "events"),
  rules("discovery.k8s.io", read, "endpointslices"),
  rules(
    "apps",
    read,
    "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
  ),
  rules("autoscaling", read, "horizontalpodautoscalers horizontalpodautoscalers/status"),
  rules("batch", read, "cronjobs cronjobs/status jobs jobs/status"),
  rules("policy", read, "poddisruptionbudgets poddisruptionbudgets/status"),
  rules("networking.k8s.io", read, "ingresses ingresses/status networkpolicies"),
  rules("resource.k8s.io", read, "resourceclaims resourceclaims/status resourceclaimtemplates"),
];

const edited: readonly JsonObject[] = [
  rules("", read, "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy"),
  rules("", ["impersonate"], "serviceaccounts"),
  rules("", write, "pods pods/attach pods/exec pods/portforward pods/proxy"),
  rules("", ["create"], "pods/eviction"),
  rules(
    "",
    write,
    "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
  ),
  rules("", ["create"], "serviceaccounts/token"),
  rules("+events.k8s.io", write, "events"),
  rules(
    "apps",
    write,
    "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
  ),
  rules("autoscaling", write, "horizontalpodautoscalers"),
  rules("batch", write, "cronjobs jobs"),
  rules("policy", write, "poddisruptionbudgets"),
  rules("networking.k8s.io", write, "ingresses networkpolicies"),
  rules("coordination.k8s.io", [...write, ...read].sort(), "leases"),
  rules("resource.k8s.io", write, "resourceclaims resourceclaimtemplates"),
];

const administered: readonly JsonObject[] = [
  rules("authorization.k8s.io", ["create"], "localsubjectaccessreviews"),
  rules("rbac.authorization.k8s.io", [...write, ...read].sort(), "rolebindings roles"),
];

/**
 * The roles that people rely on, as 1.37.1 has them without those of controllers, nodes and the long gone group
 * `extensions`. What a controller would fill into the aggregated ones is there from the start.
 */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: "cluster-admin",
    rules: [rules("*", all, "*"), { verbs: all, nonResourceURLs: all }],
  },
  { name: "admin", aggregates: "admin", rules: [...edited, ...viewed, ...administered] },
  { name: "edit", aggregates: "edit", joins: ["admin"], rules: [...edited, ...viewed] },
  { name: "view", aggregates: "view", joins: ["edit"], rules: viewed },
  { name: "system:aggregate-to-admin", joins: ["admin"], rules: administered },
  { name: "system:aggregate-to-edit", joins: ["edit"], rules: edited },
  { name: "system:aggregate-to-view", joins: ["view"], rules: viewed },
  {
    name: "system:auth-delegator",
    rules: [
      rules("authentication.k8s.io", ["create"], "tokenreviews"),
      rules("authorization.k8s.io", ["create"], "subjectaccessreviews"),
    ],
  },
  {
    name: "system:basic-user",
    rules: [
      rules("authorization.k8s.io", ["create"], "selfsubjectaccessreviews selfsubjectrulesreviews"),
      rules("authentication.k8s.io", ["create"], "selfsubjectreviews"),
    ],
  },
  {
    name: "system:discovery",
    rules: [
      paths(
        "/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/",
      ),
    ],
  },
  {
    name: "system:monitoring",
    rules: [
      paths(
        "/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz",
      ),
      rules("", ["get"], "nodes/metrics"),
    ],
  },
  {
    name: "system:public-info-viewer",
    rules: [paths("/healthz /livez /readyz /version /version/")],
  },
];

/** Which groups those roles are bound to. */
export const defaultBindings: readonly (readonly [role: string, groups: readonly string[]])[] = [
  ["cluster-admin", [wellKnown.masters]],
  ["system:basic-user", [wellKnown.authenticated]],
  ["system:discovery", [wellKnown.authenticated]],
  ["system:monitoring", ["system:monitoring"]],
  ["system:public-info-viewer", [wellKnown.authenticated, wellKnown.unauthenticated]],
];
