import type { ServerContext } from "../context/server-context.js";
import { forbidden, type StatusError } from "../errors/status-errors.js";
import type { ApiObject } from "../objects/api-object.js";
import { isJsonObject, type JsonObject, jsonEqual } from "../objects/json-value.js";
import { mapOf, objectsOf, specOf, withSpec } from "../objects/parts.js";

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/**
 * Adds the overhead, node selector and tolerations of its RuntimeClass to a new pod, like the admission plugin
 * RuntimeClass.
 *
 * @throws {StatusError} 403 for a class that does not exist and for a pod that contradicts it.
 */
export function withRuntimeClass(pod: ApiObject, server: ServerContext): ApiObject {
  const runtimeClass = runtimeClassOf(pod, server);
  if (runtimeClass === undefined) {
    return pod;
  }
  const changed: JsonObject = {};
  const overhead = mapOf(runtimeClass["overhead"])["podFixed"];
  const spec = specOf(pod);
  if (isJsonObject(overhead)) {
    if (!isEmpty(spec["overhead"]) && !jsonEqual(spec["overhead"], overhead)) {
      throw refused(pod, server, mismatch);
    }
    changed["overhead"] = overhead;
  }
  const { scheduling } = runtimeClass;
  if (isJsonObject(scheduling)) {
    const selector = mergedSelector(pod, server, mapOf(scheduling["nodeSelector"]));
    const tolerations = mergeTolerations([
      ...objectsOf(spec["tolerations"]),
      ...objectsOf(scheduling["tolerations"]),
    ]);
    Object.assign(changed, {
      ...(Object.keys(selector).length > 0 ? { nodeSelector: selector } : {}),
      ...(tolerations.length > 0 ? { tolerations } : {}),
    });
  }
  return Object.keys(changed).length === 0 ? pod : withSpec(pod, changed);
}

/**
 * Checks the overhead of a valid pod.
 *
 * @throws {StatusError} 403 when the overhead differs from that of the pod's RuntimeClass.
 */
export function assertOverhead(pod: ApiObject, server: ServerContext): void {
  const overhead = mapOf(runtimeClassOf(pod, server)?.["overhead"])["podFixed"];
  const own = specOf(pod)["overhead"];
  if (overhead === undefined && isJsonObject(own)) {
    const why =
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead";
    throw refused(pod, server, why);
  }
  if (overhead !== undefined && !jsonEqual(own, overhead)) {
    throw refused(pod, server, mismatch);
  }
}

function runtimeClassOf(pod: ApiObject, server: ServerContext): ApiObject | undefined {
  const name = specOf(pod)["runtimeClassName"];
  if (typeof name !== "string" || name === "") {
    return undefined;
  }
  const found = server.store.collection("runtimeclasses.node.k8s.io").get(name);
  if (found === undefined) {
    throw refused(pod, server, `pod rejected: RuntimeClass "${name}" not found`);
  }
  return found;
}

function mergedSelector(pod: ApiObject, server: ServerContext, wanted: JsonObject): JsonObject {
  const own = mapOf(specOf(pod)["nodeSelector"]);
  for (const [key, value] of Object.entries(wanted)) {
    if (Object.hasOwn(own, key) && own[key] !== value) {
      const why = `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${String(value)}; pod.spec.nodeSelector[${key}] = ${String(own[key])}`;
      throw refused(pod, server, why);
    }
  }
  return { ...own, ...wanted };
}

/** Drops tolerations that others include. (kubernetes `pkg/util/tolerations.MergeTolerations`) */
function mergeTolerations(all: readonly JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = [];
  for (const [at, one] of all.entries()) {
    const isRedundant =
      merged.some((other) => includes(other, one)) ||
      all.slice(at + 1).some((other) => !jsonEqual(other, one) && includes(other, one));
    if (!isRedundant) {
      merged.push(one);
    }
  }
  return merged;
}

/** Returns true when the first toleration tolerates everything that the second does. */
function includes(wide: JsonObject, narrow: JsonObject): boolean {
  if (jsonEqual(wide, narrow)) {
    return true;
  }
  const text = (toleration: JsonObject, field: string) => String(toleration[field] ?? "");
  const matchesAllKeys = text(wide, "key") === "" && text(wide, "operator") === "Exists";
  const seconds = wide["tolerationSeconds"];
  if (
    (text(wide, "key") !== text(narrow, "key") && !matchesAllKeys) ||
    (text(wide, "effect") !== text(narrow, "effect") && text(wide, "effect") !== "") ||
    (text(wide, "effect") === "NoExecute" &&
      typeof seconds === "number" &&
      Number(narrow["tolerationSeconds"] ?? Number.POSITIVE_INFINITY) > seconds)
  ) {
    return false;
  }
  switch (text(wide, "operator")) {
    case "":
    case "Equal":
      return text(narrow, "operator") === "Equal" && text(narrow, "value") === text(wide, "value");
    default:
      return text(wide, "operator") === "Exists";
  }
}

function isEmpty(value: unknown): boolean {
  return Object.keys(mapOf(value)).length === 0;
}

function refused(pod: ApiObject, { registry }: ServerContext, why: string): StatusError {
  const resource = registry.find("", "v1", "pods") ?? { group: "", plural: "pods" };
  return forbidden(resource, pod.metadata.name ?? "", why);
}
