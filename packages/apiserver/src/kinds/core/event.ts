import { getPath } from "../../objects/json-value.js";
import type { KindStrategy } from "../../resources/kind-strategy.js";
import { eventColumns } from "../fields/event-columns.js";
import { convertEvent } from "./event/event-versions.js";
import { validateEvent } from "./event/validate-event.js";

/** Strategy of the kind Event. */
export const eventStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  versions: { stored: "v1", convert: convertEvent },
  validate: validateEvent,
  fieldSelectors: {
    paths: [
      "involvedObject.kind",
      "involvedObject.namespace",
      "involvedObject.name",
      "involvedObject.uid",
      "involvedObject.apiVersion",
      "involvedObject.resourceVersion",
      "involvedObject.fieldPath",
      "reason",
      "reportingComponent",
      "source",
      "type",
    ],
    read: (event, field) =>
      field === "source"
        ? (getPath(event, "source", "component") ?? event["reportingComponent"] ?? "")
        : undefined,
  },
  columns: eventColumns,
};
