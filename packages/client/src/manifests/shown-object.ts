import type { KubeObject } from "@typekube/api";
import type { JsonObject } from "@typekube/core/internal";

/** Annotation in which `kubectl apply` repeats the whole object. */
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * Removes values that the server generates in a dry-run create and generates differently in the real create (DRY8): the
 * addresses and ports of a Service that its manifest does not set.
 */
export function withoutGeneratedValues(object: JsonObject, manifest: KubeObject): JsonObject {
  const { spec } = object as { readonly spec?: JsonObject };
  if (object["kind"] !== "Service" || object["apiVersion"] !== "v1" || spec === undefined) {
    return object;
  }
  const said = ((manifest as JsonObject)["spec"] ?? {}) as JsonObject;
  const saidPorts = (said["ports"] ?? []) as JsonObject[];
  const kept = Object.entries(spec).filter(
    ([field]) =>
      !["clusterIP", "clusterIPs", "healthCheckNodePort"].includes(field) || field in said,
  );
  const ports = spec["ports"] as JsonObject[] | undefined;
  return {
    ...object,
    spec: {
      ...Object.fromEntries(kept),
      ...(ports && {
        ports: ports.map(({ nodePort, ...port }, i) =>
          saidPorts[i]?.["nodePort"] === undefined ? port : { ...port, nodePort },
        ),
      }),
    },
  };
}

/** Returns both states of an object for people, with the values of a Secret masked. */
export function shownPair(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): readonly [JsonObject | undefined, JsonObject | undefined] {
  const one = after ?? before;
  if (one?.["kind"] !== "Secret" || one["apiVersion"] !== "v1") {
    return [before, after];
  }
  return [masked(before, after, "before"), masked(after, before, "after")];
}

/** Masks the values of a Secret; a changed value is marked as changed but not shown. */
function masked(
  object: JsonObject | undefined,
  other: JsonObject | undefined,
  when: "after" | "before",
): JsonObject | undefined {
  if (object === undefined) {
    return undefined;
  }
  const maskedFields = ["data", "stringData"].flatMap((field) => {
    const values = mapIn(object, field);
    return values ? [[field, maskedMap(values, mapIn(other, field), when)] as const] : [];
  });
  const metadata = mapIn(object, "metadata") ?? {};
  const annotations = mapIn(metadata, "annotations");
  const others = mapIn(mapIn(other, "metadata"), "annotations");
  const repeated = annotations && lastApplied in annotations;
  return {
    ...object,
    ...Object.fromEntries(maskedFields),
    ...(repeated && {
      metadata: {
        ...metadata,
        annotations: {
          ...annotations,
          ...maskedMap({ [lastApplied]: annotations[lastApplied] }, others, when),
        },
      },
    }),
  };
}

function maskedMap(values: JsonObject, others: JsonObject | undefined, when: string): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const hasChanged = others !== undefined && key in others && others[key] !== value;
      return [key, hasChanged ? `*** (${when})` : "***"];
    }),
  );
}

function mapIn(object: JsonObject | undefined, field: string): JsonObject | undefined {
  const value = object?.[field];
  return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
}
