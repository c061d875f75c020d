import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { stringsOf } from "../../../objects/json-value.js";
import { specOf } from "../../../objects/parts.js";
import { cidrTexts } from "../../../phases/validate/addresses.js";
import { appendInvalid, isUnset } from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { isBalanced } from "./service-types.js";

const rangesAnnotation = "service.beta.kubernetes.io/load-balancer-source-ranges";
const rangesAnnotationPath = `metadata.annotations[${rangesAnnotation}]`;

/** Appends the field errors of what only load balancers may have. Unchanged source ranges are not validated again. */
export function validateLoadBalancer(
  service: ApiObject,
  errors: FieldErrors,
  old: ApiObject | undefined,
): void {
  const spec = specOf(service);
  if (!isBalanced(spec)) {
    validateNoLoadBalancer(service, errors);
    return;
  }
  validateSourceRanges(service, errors, stringsOf(specOf(old ?? {})["loadBalancerSourceRanges"]));
  fieldValidator("core/v1.ServiceSpec", spec, "spec", errors)("loadBalancerClass");
}

/** Checks the source ranges of a load balancer; the annotation counts only if the field is empty. */
function validateSourceRanges(
  service: ApiObject,
  errors: FieldErrors,
  known: readonly string[],
): void {
  const ranges = stringsOf(specOf(service)["loadBalancerSourceRanges"]);
  const annotation = (service.metadata.annotations?.[rangesAnnotation] ?? "").trim();
  for (const [at, range] of ranges.entries()) {
    if (!known.includes(range)) {
      const path = `spec.LoadBalancerSourceRanges[${at}]`;
      appendInvalid(cidrTexts(range.trim()), range, path, errors);
    }
  }
  for (const text of ranges.length > 0 || annotation === "" ? [] : annotation.split(",")) {
    const range = text.trim();
    appendInvalid(cidrTexts(range), range, rangesAnnotationPath, errors);
  }
}

function validateNoLoadBalancer(service: ApiObject, errors: FieldErrors): void {
  const spec = specOf(service);
  const hasRanges = stringsOf(spec["loadBalancerSourceRanges"]).length > 0;
  const hasAnnotation = !isUnset(service.metadata.annotations?.[rangesAnnotation]);
  const given: readonly (readonly [path: string, isGiven: boolean])[] = [
    ["spec.LoadBalancerSourceRanges", hasRanges],
    [rangesAnnotationPath, hasAnnotation && !hasRanges],
    ["spec.allocateLoadBalancerNodePorts", spec["allocateLoadBalancerNodePorts"] !== undefined],
    ["spec.loadBalancerClass", spec["loadBalancerClass"] !== undefined],
  ];
  for (const [path] of given.filter(([, isGiven]) => isGiven)) {
    errors.push(cause.forbidden(path, "may only be used when `type` is 'LoadBalancer'"));
  }
}
