import type { KindStrategy } from "../../resources/kind-strategy.js";
import { readPodField } from "../pod-fields.js";
import { gracePeriodOf } from "../pod-grace-period.js";
import { asPendingPod, withPodDefaults } from "../pod-hooks.js";
import { mergePodSpec, withQosClass } from "../pod-parts.js";
import { validatePodChange } from "../pod-spec-changes.js";
import { podColumns } from "../table/pod-columns.js";
import { validateNewPod } from "../validation/new-pod.js";
import { validatePod } from "../validation/pod-spec.js";
import { validatePodStatus } from "../validation/pod-status.js";
import { podWarnings } from "../warnings/pod-warnings.js";

/** Strategy of the kind Pod. */
export const podStrategy: KindStrategy = {
  rules: {
    generation: true,
    returnDeleted: true,
    statusMetadata: "withoutOwners",
    removedInTwoSteps: true,
  },
  defaults: withPodDefaults,
  prepareCreate: asPendingPod,
  mergeStatus: withQosClass,
  mergeSpec: mergePodSpec,
  validate: (object, errors) => void errors.push(...validatePod(object)),
  validateCreate: (object, errors) => void errors.push(...validateNewPod(object)),
  validateStatus: (object, old, errors) => void errors.push(...validatePodStatus(object, old)),
  validateWrite: validatePodChange,
  warnings: (object, old) => (old === undefined ? podWarnings(object) : []),
  gracePeriod: gracePeriodOf,
  fieldSelectors: {
    paths: [
      "spec.host",
      "spec.nodeName",
      "spec.restartPolicy",
      "spec.schedulerName",
      "spec.serviceAccountName",
      "spec.hostNetwork",
      "status.phase",
      "status.podIP",
      "status.podIPs",
      "status.nominatedNodeName",
    ],
    zeros: { "spec.hostNetwork": "false" },
    read: readPodField,
  },
  columns: podColumns,
};
