import type { KubeObject } from "@typekube/api";
import type { ApiServerOptions } from "@typekube/apiserver";
import { recordedJson, recordedLines } from "./recorded-exchanges.js";

/** A recorded session: its server, the initial state, and the order of its requests. */
export interface Transcript {
  /** Prefix of its exchanges' names. */
  readonly server: string;
  readonly title: string;
  /** Release that the embedded server emulates. */
  readonly version: NonNullable<ApiServerOptions["version"]>;
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Returns the server's objects before the first request. */
  readonly seeds: () => KubeObject[];
  /** Order of requests within a second, where writes make it matter. */
  readonly order: readonly string[];
  /** Exchanges before which the server's history was compacted. */
  readonly compactedBefore: readonly string[];
  /** Paths of objects and collections that a fresh server has today and the recorded server did not have. */
  readonly lacked?: readonly string[];
  /**
   * `true` when the server skipped the validation and the defaults of its kinds: the object in its response to a write
   * is then stored, whatever the embedded server made of the write.
   */
  readonly keepsRecorded?: boolean;
}

interface List {
  readonly apiVersion: string;
  readonly kind: string;
  readonly items: readonly KubeObject[];
}

/** Returns the items of a recorded list. */
function itemsOf(name: string): KubeObject[] {
  const { apiVersion, kind, items } = recordedJson<List>(name);
  return items.map((item) => ({ apiVersion, kind: kind.replace(/List$/, ""), ...item }));
}

/** Returns the object of each event of a recorded streaming list. */
function streamed(name: string): KubeObject[] {
  return recordedLines<{ readonly object: KubeObject }>(name).map(({ object }) => object);
}

function named(...names: readonly string[]) {
  return ({ metadata }: KubeObject) => names.includes(metadata?.name ?? "");
}

/** Returns the pod that is deleted during the session; its content was not recorded. */
function deletedPod(): KubeObject & { readonly spec: unknown } {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p2", namespace: "default", uid: "6b36299a-e8ed-4c63-a6cb-000000000002" },
    spec: { containers: [{ name: "c", image: "x" }] },
  };
}

export const transcripts: readonly Transcript[] = [
  {
    server: "136",
    title: "a v1.36.4 server of custom resources",
    version: "1.36",
    featureGates: { CBORServingAndStorage: true },
    seeds: () => [
      recordedJson<KubeObject>("136-crd-get-json"),
      ...streamed("136-watchlist-json").filter(named("w1", "w2", "w3", "w4", "w5")),
    ],
    order: [
      "136-ssa-conflict",
      "136-smp-415",
      "136-ssa-create",
      "136-merge-patch",
      "136-scale-get",
      "136-status-put",
      "136-delete",
      "136-delete-ok",
      "136-deletecollection-dry",
      "136-create-cbor",
      "136-create-cbor-text",
    ],
    compactedBefore: ["136-watch-expired-json", "136-list-exact-old"],
  },
  {
    server: "136t",
    title: "a v1.36.4 server of built-in types without validation and defaults",
    version: "1.36",
    featureGates: { CBORServingAndStorage: true },
    seeds: () => [
      recordedJson<KubeObject>("136-crd-get-json"),
      ...itemsOf("136t-list-namespaces-json"),
      ...itemsOf("136t-list-configmaps-json"),
      ...itemsOf("136t-list-deployments-json").filter(named("d")),
      ...itemsOf("136t-list-pods-json").filter(named("p1")),
      deletedPod(),
    ],
    order: [
      "136t-pod-create",
      "136t-secret-create",
      "136t-lease-create",
      "136t-event-create",
      "136t-service-create",
      "136t-role-create",
      "136t-pod-get-json",
      "136t-pod-get-pb",
      "136t-pod-get-yaml",
      "136t-pod-get-cbor",
      "136t-pod-smp",
      "136t-ssa-create",
      "136t-ssa-conflict",
      "136t-ssa-force",
      "136t-ssa-remove",
      "136t-delete-finalizer",
    ],
    compactedBefore: [],
    keepsRecorded: true,
    lacked: [
      "/api/v1/namespaces/default/services/kubernetes",
      "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-public/roles",
      "/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles",
    ],
  },
  {
    server: "120",
    title: "kube-apiserver v1.20.2",
    lacked: [
      "/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking",
    ],
    version: "1.33",
    featureGates: { WatchList: false },
    seeds: () => [
      ...itemsOf("120-list-namespaces-json"),
      ...itemsOf("120-list-configmaps-json"),
      ...itemsOf("120-list-endpoints-json"),
      ...itemsOf("120-list-services-json"),
      ...itemsOf("120-deploy-json"),
    ],
    order: ["120-pod-create", "120-pod-get-json", "120-pod-get-pb", "120-pod-smp"],
    compactedBefore: [],
  },
];
