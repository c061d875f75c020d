import type { ApiObject } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../../objects/parts.js";
import { timestamp } from "../../objects/timestamp.js";
import type { StrategyWrite } from "../../resources/kind-strategy.js";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Sets the status of a new claim. */
export function asPendingClaim(claim: ApiObject): ApiObject {
  return { ...claim, status: { phase: "Pending" } };
}

/** Sets the status of a new volume. */
export function asPendingVolume(volume: ApiObject, { server }: StrategyWrite): ApiObject {
  const lastPhaseTransitionTime = timestamp(server.clock);
  return { ...volume, status: { phase: "Pending", lastPhaseTransitionTime } };
}

/** Kinds that the older `dataSource` field can name: claims and snapshots. */
const oldSources = ["PersistentVolumeClaim", "VolumeSnapshot"];

/** Copies the data source of a claim to both fields, if the older one can express it. */
export function withBothSources(claim: ApiObject): ApiObject {
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
export function withAddressRanges(node: ApiObject): ApiObject {
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
export function withTaint(node: ApiObject): ApiObject {
  const taints = objectsOf(specOf(node)["taints"]);
  const isTainted = taints.some(
    ({ key, effect }) => key === notReady.key && effect === notReady.effect,
  );
  return isTainted ? node : withSpec(node, { taints: [...taints, notReady] });
}
