import type { SchemaNode } from "./schema-node.js";

/** Returns the embedded Go structs that contain a field; empty for a field of the type itself. */
type Embedding = (field: string) => readonly string[];

const none: readonly string[] = [];
const only =
  (name: string, fields: readonly string[]): Embedding =>
  (field) =>
    fields.includes(field) ? [name] : none;
const allBut =
  (name: string, fields: readonly string[]): Embedding =>
  (field) =>
    fields.includes(field) ? none : [name];

const reference = only("LocalObjectReference", ["name"]);
const device = only("DeviceConfiguration", ["opaque"]);
const rule = allBut("Rule", ["operations"]);

/** Types whose Go structs embed others that are not visible in JSON. */
const embeddings: Readonly<Record<string, Embedding>> = {
  ConfigMapEnvSource: reference,
  ConfigMapKeySelector: reference,
  ConfigMapProjection: reference,
  ConfigMapVolumeSource: reference,
  DeviceAllocationConfiguration: device,
  DeviceClaimConfiguration: device,
  DeviceClassConfiguration: device,
  EphemeralContainer: allBut("EphemeralContainerCommon", ["targetContainerName"]),
  NamedRuleWithOperations: (field) =>
    field === "resourceNames" ? none : ["RuleWithOperations", ...rule(field)],
  PersistentVolumeSpec: allBut("PersistentVolumeSource", [
    "accessModes",
    "capacity",
    "claimRef",
    "mountOptions",
    "nodeAffinity",
    "persistentVolumeReclaimPolicy",
    "storageClassName",
    "volumeAttributesClassName",
    "volumeMode",
  ]),
  Probe: only("ProbeHandler", ["exec", "grpc", "httpGet", "tcpSocket"]),
  RuleWithOperations: rule,
  SecretEnvSource: reference,
  SecretKeySelector: reference,
  SecretProjection: reference,
  Volume: allBut("VolumeSource", ["name"]),
};

/**
 * Returns a path as named by Go's JSON decoder: without list indexes, with the names of embedded structs.
 *
 * @param root - schema node at which the path begins.
 * @param path - a path such as `spec.volumes[0].hostPath`.
 */
export function goPathOf(root: SchemaNode, path: string): string {
  let node: SchemaNode | undefined = root;
  const names: string[] = [];
  for (const key of path.replace(/\[\d+\]/g, "").split(".")) {
    while (node?.form === "list") {
      node = node.items;
    }
    if (node?.form === "struct") {
      names.push(...(embeddings[node.typeName]?.(key) ?? none));
      node = node.field(key)?.node;
    } else {
      node = undefined;
    }
    names.push(key);
  }
  return names.join(".");
}
