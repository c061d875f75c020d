import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, jsonEqual, omitKeys } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";

/** Scheduling fields of a suspended Job's pod template that may still change. */
const scheduling = ["affinity", "nodeSelector", "schedulingGates", "tolerations"];

const fixed = "field is immutable";

/** Appends errors for changes of immutable fields of a Job. */
export function validateJobChange(job: ApiObject, old: ApiObject, errors: FieldErrors): void {
  const [spec, oldSpec] = [specOf(job), specOf(old)];
  const isIndexed = spec["completionMode"] === "Indexed";
  const isElastic = isIndexed && spec["completions"] === spec["parallelism"];
  const validateKept = (key: string, why = fixed) => {
    if (!jsonEqual(spec[key] ?? null, oldSpec[key] ?? null)) {
      errors.push(cause.invalid(`spec.${key}`, spec[key] ?? null, why));
    }
  };
  if (!isElastic) {
    const why = "can only be modified in tandem with spec.parallelism";
    validateKept("completions", isIndexed ? why : fixed);
  }
  validateKept("selector");
  validateTemplateChange(spec, old, errors);
  validateKept("completionMode");
  validateKept("podFailurePolicy");
  validateKept("backoffLimitPerIndex");
  validateKept("managedBy");
  validateKept("successPolicy");
}

function validateTemplateChange(spec: JsonObject, old: ApiObject, errors: FieldErrors): void {
  const [template, oldTemplate] = [spec, specOf(old)].map((of) => mapOf(of["template"]));
  const { startTime, active = 0 } = mapOf(old["status"]);
  const isOpen = specOf(old)["suspend"] === true && startTime === undefined && active === 0;
  const isKept = isOpen
    ? jsonEqual(scheduledLater(template), scheduledLater(oldTemplate))
    : jsonEqual(template, oldTemplate);
  if (!isKept) {
    const path = isOpen ? "spec.template.spec" : "spec.template";
    errors.push(cause.invalid(path, spec["template"], fixed));
  }
}

/** Returns the pod spec of a template without the fields that may still change: scheduling and resources. */
function scheduledLater(template: JsonObject = {}): JsonObject {
  const spec = specOf(template);
  const lists = ["containers", "initContainers"].map((list) => [
    list,
    objectsOf(spec[list]).map((container) => omitKeys(container, "resources")),
  ]);
  return { ...omitKeys(spec, ...scheduling), ...Object.fromEntries(lists) };
}
