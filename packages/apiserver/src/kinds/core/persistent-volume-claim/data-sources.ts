import type { ApiObject } from "../../../objects/api-object.js";
import { isJsonObject, type JsonObject, omitKeys } from "../../../objects/json-value.js";
import { mapOf, specOf, withSpec } from "../../../objects/parts.js";

/** Kinds that the older `dataSource` field can name: claims and snapshots. */
const oldSources = ["PersistentVolumeClaim", "VolumeSnapshot"];

/** Copies the data source of a claim to both fields, if the older one can express it. */
export function withBothSources(claim: ApiObject): ApiObject {
  const { dataSource, dataSourceRef } = specOf(claim);
  const source = mapOf(dataSource ?? dataSourceRef);
  const both = dataSource !== undefined && dataSourceRef !== undefined;
  if (!both && isJsonObject(dataSource) && isOfNoOldSource(dataSource)) {
    // Drop a source that the older field can't express, silently.
    return { ...claim, spec: omitKeys(specOf(claim), "dataSource") };
  }
  if (both || !oldSources.includes(String(source["kind"])) || source["namespace"] !== undefined) {
    return claim;
  }
  return withSpec(claim, { dataSource: source, dataSourceRef: source });
}

function isOfNoOldSource({ apiGroup, kind }: JsonObject): boolean {
  const isNamed = (kind ?? "") !== "";
  return isNamed && (apiGroup ?? "") === "" && kind !== "PersistentVolumeClaim";
}
