import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import type { TableColumn } from "../../../resources/table-column.js";
import { containersText, labelsText, none, orNone } from "../../../response/table/cell-text.js";
import { columnsFor } from "../../../response/table/columns-for.js";
import { column } from "../../../response/table/make-column.js";
import { podState, restartsText } from "./pod-state.js";

/** Columns of the kind Pod. */
export const podColumns: readonly TableColumn[] = columnsFor("pods", {
  Ready: column("Ready containers, and all containers.", (pod) => {
    const { ready, containers } = podState(pod);
    return `${ready}/${containers}`;
  }),
  Status: column("Status of the pod, or the reason of a failure.", (pod) => podState(pod).reason),
  Restarts: column("Number of container restarts, and the time since the last one.", (pod, now) =>
    restartsText(podState(pod), now),
  ),
  IP: column("Address of the pod.", (pod) => orNone(addressOf(mapOf(pod["status"])))),
  Node: column("Node of the pod.", (pod) => orNone(specOf(pod)["nodeName"])),
  "Nominated Node": column("Node that makes room for the pod by preemption.", ({ status }) =>
    orNone(mapOf(status)["nominatedNodeName"]),
  ),
  "Readiness Gates": column("Readiness gates that are met, and all readiness gates.", gates),
});

/** Columns of the kind PodTemplate. */
export const podTemplateColumns: readonly TableColumn[] = columnsFor("podtemplates", {
  Containers: column("Names of the containers.", ({ template }) =>
    containersText(mapOf(template)["spec"], "name"),
  ),
  Images: column("Images of the containers.", ({ template }) =>
    containersText(mapOf(template)["spec"], "image"),
  ),
  "Pod Labels": column("Labels of the pods.", ({ template }) =>
    labelsText(mapOf(mapOf(template)["metadata"])["labels"]),
  ),
});

function addressOf({ podIP, podIPs }: JsonObject): unknown {
  return objectsOf(podIPs)[0]?.["ip"] ?? podIP;
}

function gates(pod: JsonObject): string {
  const wanted = objectsOf(specOf(pod)["readinessGates"]);
  if (wanted.length === 0) {
    return none;
  }
  const conditions = objectsOf(mapOf(pod["status"])["conditions"]);
  const met = wanted.filter(({ conditionType }) =>
    conditions.some(({ type, status }) => type === conditionType && status === "True"),
  );
  return `${met.length}/${wanted.length}`;
}
