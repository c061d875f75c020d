import type { KindStrategy } from "../../resources/kind-strategy.js";
import { readEventField } from "../event-fields.js";
import { eventColumns } from "../table/event-columns.js";
import { validateEvent } from "../validation/events.js";
import { convertEvent } from "../versions/event-versions.js";

/** Strategy of the kind Event. */
export const eventStrategy: KindStrategy = {
  rules: { createOnUpdate: true, names: "path" },
  versions: { stored: "v1", convert: convertEvent },
  validate: (object, errors) => void errors.push(...validateEvent(object)),
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
