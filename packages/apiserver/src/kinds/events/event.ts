import type { KindStrategy } from "../../resources/kind-strategy.js";
import { convertEvent } from "../core/event/event-versions.js";
import { eventColumns } from "../fields/event-columns.js";
import {
  validateNewEvent,
  validateNewEventCreation,
  validateNewEventUpdate,
} from "./event/validate-new-event.js";

/** Strategy of the kind Event of events.k8s.io. */
export const newEventStrategy: KindStrategy = {
  storage: "events",
  rules: { createOnUpdate: true },
  versions: { stored: "v1", convert: convertEvent },
  validate: validateNewEvent,
  validateCreate: validateNewEventCreation,
  validateUpdate: validateNewEventUpdate,
  fieldSelectors: {
    paths: [
      "regarding.kind",
      "regarding.namespace",
      "regarding.name",
      "regarding.uid",
      "regarding.apiVersion",
      "regarding.resourceVersion",
      "regarding.fieldPath",
      "reason",
      "reportingController",
      "type",
    ],
  },
  columns: eventColumns,
};
