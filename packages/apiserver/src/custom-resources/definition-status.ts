import { updateManagers } from "../apply/managed-fields.js";
import type { SchemaField, SchemaNode } from "../schema/schema-node.js";
import { type ServerContext, timestamp } from "../server-context.js";
import { getPath, isJsonObject, type JsonObject, jsonEqual } from "../store/json-value.js";
import { type ApiObject, normalized } from "../store/stored-object.js";
import { definitionStorage, listOf } from "./definition.js";

/** A condition of a definition, without the time of its last change. */
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

/** The condition of a type. */
export function conditionOf(
  { status }: JsonObject,
  type: DefinitionCondition["type"],
): JsonObject | undefined {
  return listOf(getPath(status, "conditions")).find((condition) => condition["type"] === type);
}

/** The status of a definition with a condition in its place. */
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

/** Stores a status; false when it is the one that is stored. The fields belong to the server from then on. */
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

/** As much of the schema of definitions as the ownership of the status needs. */
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
