import type { ServerContext } from "../context/server-context.js";
import { type ApiObject, normalized } from "../objects/api-object.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../objects/json-value.js";
import { timestamp } from "../objects/timestamp.js";
import { updateManagers } from "../phases/managed-fields/managed-fields.js";
import { definitionStorage, listOf } from "../resources/definition.js";
import type { SchemaField, SchemaNode } from "../schema/schema-node.js";

/** A condition of a definition without its transition time. */
export interface DefinitionCondition extends JsonObject {
  readonly type:
    | "Established"
    | "KubernetesAPIApprovalPolicyConformant"
    | "NamesAccepted"
    | "Terminating";
  readonly status: "False" | "True";
  readonly reason: string;
  readonly message: string;
}

/** Returns the condition of a type. */
export function conditionOf(
  { status }: JsonObject,
  type: DefinitionCondition["type"],
): JsonObject | undefined {
  return listOf(getPath(status, "conditions")).find((condition) => condition["type"] === type);
}

/** Sets a condition in the status of a definition. */
export function withCondition(
  { clock }: Pick<ServerContext, "clock">,
  object: JsonObject,
  condition: DefinitionCondition,
): JsonObject {
  const status = isJsonObject(object["status"]) ? object["status"] : object;
  const before = listOf(status["conditions"]);
  const old = before.find(({ type }) => type === condition.type);
  const { type, status: value, reason, message } = condition;
  const lastTransitionTime =
    old?.["status"] === value ? old["lastTransitionTime"] : timestamp(clock);
  const written = { type, status: value, lastTransitionTime, reason, message };
  return {
    ...status,
    conditions:
      old === undefined ? [...before, written] : before.map((one) => (one === old ? written : one)),
  };
}

/** Stores a status with the server as manager of its fields; returns false when it is unchanged. */
export function writeStatus(server: ServerContext, before: ApiObject, status: JsonObject): boolean {
  if (jsonEqual(before["status"], status)) {
    return false;
  }
  const resource = server.registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  const object = { ...before, status };
  const owned =
    resource === undefined
      ? object
      : updateManagers({
          object,
          before,
          schema: statusNode,
          resource,
          manager: "kube-apiserver",
          subresource: "status",
          time: timestamp(server.clock),
        });
  server.store.put(definitionStorage, before.metadata.name ?? "", normalized(owned));
  return true;
}

const leaf: SchemaNode = { form: "leaf" };

function struct(fields: Readonly<Record<string, SchemaNode>>): SchemaNode {
  return {
    form: "struct",
    typeName: "",
    atomic: false,
    fieldNames: Object.keys(fields),
    field(name): SchemaField | undefined {
      const node = Object.hasOwn(fields, name) ? fields[name] : undefined;
      return node === undefined ? undefined : { name, node, schema: { type: "any" } };
    },
  };
}

/** The part of the definition schema needed to track ownership of the status. */
const statusNode = struct({
  status: struct({
    acceptedNames: struct({ plural: leaf, singular: leaf, kind: leaf, listKind: leaf }),
    conditions: {
      form: "list",
      type: "map",
      keys: ["type"],
      items: struct({ type: leaf, status: leaf, reason: leaf, message: leaf }),
    },
    storedVersions: leaf,
  }),
});
