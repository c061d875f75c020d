import type { KindStrategy } from "../../resources/kind-strategy.js";
import { eventColumns } from "../fields/event-columns.js";
import { convertEvent } from "../fields/event-versions.js";
import { validateEvent } from "../fields/validate-event.js";
import { readEventField } from "./event-fields.js";

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
    read: readEventField,
  },
  columns: eventColumns,
};
