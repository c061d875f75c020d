import type { JsonObject } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import type { TableColumn } from "../../../resources/table-column.js";
import { containersText, labelsText, none, orNone } from "../../../response/table/cell-text.js";
import { ageColumn, nameColumn, text, wide } from "../../../response/table/make-column.js";
import { podState, restartsText } from "./pod-state.js";

/** Columns of the kind Pod. */
export const podColumns: readonly TableColumn[] = [
  nameColumn,
  text("Ready", "Ready containers, and all containers.", (pod) => {
    const { ready, containers } = podState(pod);
    return `${ready}/${containers}`;
  }),
  text("Status", "Status of the pod, or the reason of a failure.", (pod) => podState(pod).reason),
  text("Restarts", "Number of container restarts, and the time since the last one.", (pod, now) =>
    restartsText(podState(pod), now),
  ),
  ageColumn,
  wide(text("IP", "Address of the pod.", (pod) => orNone(addressOf(mapOf(pod["status"]))))),
  wide(text("Node", "Node of the pod.", (pod) => orNone(specOf(pod)["nodeName"]))),
  wide(
    text("Nominated Node", "Node that makes room for the pod by preemption.", ({ status }) =>
      orNone(mapOf(status)["nominatedNodeName"]),
    ),
  ),
  wide(text("Readiness Gates", "Readiness gates that are met, and all readiness gates.", gates)),
];

/** Columns of the kind PodTemplate. */
export const podTemplateColumns: readonly TableColumn[] = [
  nameColumn,
  text("Containers", "Names of the containers.", ({ template }) =>
    containersText(mapOf(template)["spec"], "name"),
  ),
  text("Images", "Images of the containers.", ({ template }) =>
    containersText(mapOf(template)["spec"], "image"),
  ),
  text("Pod Labels", "Labels of the pods.", ({ template }) =>
    labelsText(mapOf(mapOf(template)["metadata"])["labels"]),
  ),
];

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
