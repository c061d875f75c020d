import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import type { TableColumn } from "../../../resources/table-column.js";
import { none } from "../../../response/table/cell-text.js";
import { columnsFor } from "../../../response/table/columns-for.js";
import { column } from "../../../response/table/make-column.js";

const roleLabel = "node-role.kubernetes.io/";

/** Cells of Nodes. */
export const nodeColumns: readonly TableColumn[] = columnsFor("nodes", {
  Status: column("Readiness of the node.", statusText),
  Roles: column("Roles of the node.", rolesText),
  Version: column("Version of the kubelet.", (node) => infoOf(node)["kubeletVersion"] ?? ""),
  "Internal-IP": column("Address inside the cluster.", (node) => addressOf(node, "InternalIP")),
  "External-IP": column("Address outside of the cluster.", (node) => addressOf(node, "ExternalIP")),
  "OS-Image": column(
    "Operating system of the node.",
    (node) => infoOf(node)["osImage"] || "<unknown>",
  ),
  "Kernel-Version": column("Kernel version and architecture.", (node) => {
    const { kernelVersion, architecture } = infoOf(node);
    const machines = (architecture ?? "") === "" ? "" : ` (${String(architecture)})`;
    return (kernelVersion ?? "") === "" ? "<unknown>" : `${String(kernelVersion)}${machines}`;
  }),
  "Container-Runtime": column(
    "Container runtime of the node.",
    (node) => infoOf(node)["containerRuntimeVersion"] || "<unknown>",
  ),
});

function infoOf({ status }: JsonObject): JsonObject {
  return mapOf(mapOf(status)["nodeInfo"]);
}

function statusText(node: JsonObject): string {
  const ready = objectsOf(mapOf(node["status"])["conditions"]).find(({ type }) => type === "Ready");
  const state = ready === undefined ? "Unknown" : ready["status"] === "True" ? "Ready" : "NotReady";
  return specOf(node)["unschedulable"] === true ? `${state},SchedulingDisabled` : state;
}

function rolesText({ metadata }: JsonObject): string {
  const labels = mapOf(mapOf(metadata)["labels"]);
  const roles = Object.keys(labels).flatMap((key) =>
    key.startsWith(roleLabel) && key.length > roleLabel.length
      ? [key.slice(roleLabel.length)]
      : key === "kubernetes.io/role" && labels[key] !== ""
        ? [String(labels[key])]
        : [],
  );
  return roles.length === 0 ? none : [...new Set(roles)].sort().join(",");
}

function addressOf({ status }: JsonObject, wanted: string): unknown {
  const found = objectsOf(mapOf(status)["addresses"]).find(({ type }) => type === wanted);
  return found?.["address"] ?? none;
}
