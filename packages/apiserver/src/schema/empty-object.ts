import { type ProtobufTable, parseMessage } from "@typekube/api/protobuf";
import type { JsonObject } from "../json-value.js";
import type { ServedResource } from "../served-resource.js";

/** What a typed object of a kind always has, however empty it is; see {@link createSkeletonSource}. */
export type SkeletonSource = (
  resource: Pick<ServedResource, "descriptor">,
) => Promise<JsonObject | undefined>;

/**
 * Finds what a typed object of a kind has from the start: structs that are no pointers, and lists that are written even
 * when they are empty. Such a struct is nobody's field, so ownership must know of it.
 */
export function createSkeletonSource(): SkeletonSource {
  const known = new Map<string, Promise<JsonObject | undefined>>();
  return ({ descriptor: { apiVersion, kind } }) => {
    const key = `${apiVersion} ${kind}`;
    let skeleton = known.get(key);
    if (skeleton === undefined) {
      skeleton = load(apiVersion, kind);
      known.set(key, skeleton);
    }
    return skeleton;
  };
}

async function load(apiVersion: string, kind: string): Promise<JsonObject | undefined> {
  const { loadProtobufTable } = await import("@typekube/api/protobuf");
  const table = await loadProtobufTable(apiVersion);
  return table === undefined ? undefined : skeletonOf(table, kind);
}

function skeletonOf(table: ProtobufTable, name: string): JsonObject | undefined {
  const message = parseMessage(table, name);
  if (message === undefined || message.form !== undefined) {
    return undefined;
  }
  const skeleton: JsonObject = {};
  for (const { jsonName, container, type, pointer, always } of message.fields) {
    if (container !== "one") {
      if (always) {
        skeleton[jsonName] = null;
      }
      continue;
    }
    const dot = type.lastIndexOf(".");
    const owner = dot > 0 ? table.imports[type.slice(0, dot)] : table;
    const inner =
      pointer || owner === undefined ? undefined : skeletonOf(owner, type.slice(dot + 1));
    if (inner !== undefined) {
      skeleton[jsonName] = inner;
    }
  }
  return skeleton;
}
