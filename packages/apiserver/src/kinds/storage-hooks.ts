import { type ServerContext, timestamp } from "../context/server-context.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf, withFinalizer, withSpec } from "../objects/parts.js";
import { defaultClass } from "./default-class.js";
import type { KindHooks } from "./kind-hooks.js";

const defaultClassAnnotation = "storageclass.kubernetes.io/is-default-class";
const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Hooks of volumes, claims, their classes, and nodes. */
export const storageHooks: Readonly<Record<string, KindHooks>> = {
  persistentvolumeclaims: {
    defaults: withBothSources,
    create: (claim, server) => ({
      ...withFinalizer(withDefaultClass(claim, server), "kubernetes.io/pvc-protection"),
      status: { phase: "Pending" },
    }),
  },
  persistentvolumes: {
    create: (volume, { clock }) => ({
      ...withFinalizer(volume, "kubernetes.io/pv-protection"),
      status: { phase: "Pending", lastPhaseTransitionTime: timestamp(clock) },
    }),
  },
  "volumeattributesclasses.storage.k8s.io": {
    create: (one) => withFinalizer(one, "kubernetes.io/vac-protection"),
  },
  nodes: { defaults: withAddressRanges, create: withTaint },
};

/** Sets the newest default StorageClass on a claim that names no class. */
function withDefaultClass(claim: ApiObject, { store }: ServerContext): ApiObject {
  if (specOf(claim)["storageClassName"] !== undefined) {
    return claim;
  }
  const classes = store.collection("storageclasses.storage.k8s.io");
  const newest = defaultClass(classes, defaultClassAnnotation);
  return newest === undefined ? claim : withSpec(claim, { storageClassName: newest });
}

/** Kinds that the older `dataSource` field can name: claims and snapshots. */
const oldSources = ["PersistentVolumeClaim", "VolumeSnapshot"];

/** Copies the data source of a claim to both fields, if the older one can express it. */
function withBothSources(claim: ApiObject): ApiObject {
  const { dataSource, dataSourceRef } = specOf(claim);
  const said = mapOf(dataSource ?? dataSourceRef);
  const both = dataSource !== undefined && dataSourceRef !== undefined;
  if (!both && isJsonObject(dataSource) && isOfNoOldSource(dataSource)) {
    // Drop a source that the older field can't express, silently.
    return { ...claim, spec: omitKeys(specOf(claim), "dataSource") };
  }
  if (both || !oldSources.includes(String(said["kind"])) || said["namespace"] !== undefined) {
    return claim;
  }
  return withSpec(claim, { dataSource: said, dataSourceRef: said });
}

function isOfNoOldSource({ apiGroup, kind }: JsonObject): boolean {
  const isNamed = (kind ?? "") !== "";
  return isNamed && (apiGroup ?? "") === "" && kind !== "PersistentVolumeClaim";
}

/** Keeps `podCIDR` and the first of `podCIDRs` of a node equal, and defaults its allocatable resources to its capacity. */
function withAddressRanges(node: ApiObject): ApiObject {
  const { podCIDR, podCIDRs } = specOf(node);
  const first = Array.isArray(podCIDRs) ? podCIDRs[0] : undefined;
  const ranged =
    (podCIDR ?? "") === ""
      ? first === undefined
        ? node
        : withSpec(node, { podCIDR: first })
      : first === podCIDR
        ? node
        : withSpec(node, { podCIDRs: [podCIDR] });
  const { capacity, allocatable } = mapOf(node["status"]);
  return capacity !== undefined && Object.keys(mapOf(allocatable)).length === 0
    ? { ...ranged, status: { ...mapOf(node["status"]), allocatable: capacity } }
    : ranged;
}

/** Adds the not-ready taint to a new node. */
function withTaint(node: ApiObject): ApiObject {
  const taints = objectsOf(specOf(node)["taints"]);
  const isTainted = taints.some(
    ({ key, effect }) => key === notReady.key && effect === notReady.effect,
  );
  return isTainted ? node : withSpec(node, { taints: [...taints, notReady] });
}
