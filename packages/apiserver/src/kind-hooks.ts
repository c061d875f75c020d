import { isJsonObject, type JsonObject, omitKeys, setOwn } from "./json-value.js";
import type { ServedResource } from "./served-resource.js";
import type { ApiObject } from "./stored-object.js";

/**
 * What a server fills in for a few kinds, beyond what holds for all of them. Returns a new object. Only what clients
 * and controllers look at is here; full defaulting is not.
 */
export function onCreate(
  { storage, hasStatus, rules }: ServedResource,
  object: ApiObject,
): ApiObject {
  const cleared =
    hasStatus && !rules.statusOnCreate ? (omitKeys(object, "status") as ApiObject) : object;
  switch (storage) {
    case "pods":
      return withPodDefaults({
        ...cleared,
        status: { phase: "Pending", qosClass: qosClass(cleared) },
      });
    case "namespaces":
      return withNamespaceDefaults(cleared);
    case "secrets":
      return withStringData(cleared);
    case "persistentvolumeclaims":
    case "persistentvolumes":
      return { ...cleared, status: { phase: "Pending" } };
    default:
      return withReplicas(cleared, storage);
  }
}

/** The same for an update. */
export function onUpdate(
  { storage }: ServedResource,
  object: ApiObject,
  before: ApiObject,
): ApiObject {
  switch (storage) {
    case "secrets":
      return withStringData(object);
    case "namespaces":
      // The finalizers of the spec change only through the subresource `finalize`.
      return { ...object, spec: before["spec"] };
    default:
      return withReplicas(object, storage);
  }
}

function withPodDefaults(pod: ApiObject): ApiObject {
  const spec = isJsonObject(pod["spec"]) ? pod["spec"] : {};
  const defaults = {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    schedulerName: "default-scheduler",
  };
  return { ...pod, spec: { ...defaults, ...spec } };
}

function qosClass(pod: ApiObject): string {
  const spec = isJsonObject(pod["spec"]) ? pod["spec"] : {};
  const containers = Array.isArray(spec["containers"]) ? spec["containers"] : [];
  const resources = containers.map((container: unknown) =>
    isJsonObject(container) && isJsonObject(container["resources"]) ? container["resources"] : {},
  );
  const has = (part: JsonObject, key: string) => {
    const amounts = part[key];
    return isJsonObject(amounts) && Object.keys(amounts).length > 0;
  };
  if (resources.every((part) => !has(part, "limits") && !has(part, "requests"))) {
    return "BestEffort";
  }
  const guaranteed = resources.every((part) => {
    const limits = isJsonObject(part["limits"]) ? part["limits"] : {};
    const requests = isJsonObject(part["requests"]) ? part["requests"] : limits;
    return ["cpu", "memory"].every(
      (name) => limits[name] !== undefined && requests[name] === limits[name],
    );
  });
  return guaranteed ? "Guaranteed" : "Burstable";
}

function withNamespaceDefaults(namespace: ApiObject): ApiObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, "kubernetes.io/metadata.name": metadata.name ?? "" };
  return {
    ...namespace,
    metadata: { ...metadata, labels },
    spec: { finalizers: ["kubernetes"] },
    status: { phase: "Active" },
  };
}

function withStringData(secret: ApiObject): ApiObject {
  const { stringData } = secret;
  const plain = omitKeys(secret, "stringData") as ApiObject;
  const type = plain["type"] ?? "Opaque";
  if (!isJsonObject(stringData)) {
    return { ...plain, type };
  }
  const data: JsonObject = isJsonObject(plain["data"]) ? { ...plain["data"] } : {};
  for (const key of Object.keys(stringData)) {
    setOwn(data, key, Buffer.from(String(stringData[key]), "utf8").toString("base64"));
  }
  return { ...plain, data, type };
}

const replicated = new Set([
  "deployments.apps",
  "replicasets.apps",
  "replicationcontrollers",
  "statefulsets.apps",
]);

function withReplicas(object: ApiObject, storage: string): ApiObject {
  const spec = object["spec"];
  return replicated.has(storage) && isJsonObject(spec) && spec["replicas"] === undefined
    ? { ...object, spec: { replicas: 1, ...spec } }
    : object;
}
