import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { validateBalancerStatus, validateIpModes } from "../../networking/balancer-status.js";
import { hasHealthCheck, isBalanced } from "./service-types.js";

/** Appends errors for changes of the cluster IP, load balancer class and health check port while they apply. */
export function validateServiceChange(
  service: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const [spec, oldSpec] = [specOf(service), specOf(old)];
  const both = [spec, oldSpec];
  const isKept = (key: string) => (spec[key] ?? null) === (oldSpec[key] ?? null);
  if (both.every(hasHealthCheck) && !isKept("healthCheckNodePort")) {
    errors.push(cause.forbidden("spec.healthCheckNodePort", "field is immutable"));
  }
  const ips = stringsOf(spec["clusterIPs"]);
  const [oldIp] = stringsOf(oldSpec["clusterIPs"]);
  const isConsistent = spec["clusterIP"] === ips[0];
  const isPlain = both.every(({ type }) => type !== "ExternalName");
  if (isPlain && isConsistent && oldIp !== undefined && ips[0] !== oldIp) {
    errors.push(cause.invalid("spec.clusterIPs[0]", ips, "may not change once set"));
  }
  if (both.every(isBalanced) && !isKept("loadBalancerClass")) {
    const { loadBalancerClass = null } = spec;
    errors.push(
      cause.invalid("spec.loadBalancerClass", loadBalancerClass, "may not change once set"),
    );
  }
}

/** Appends the field errors of a Service status reported by a load balancer. */
export function validateServiceStatus(
  service: ApiObject,
  old: ApiObject,
  errors: FieldErrors,
): void {
  const { ingress } = mapOf(mapOf(service["status"])["loadBalancer"]);
  if (objectsOf(ingress).length > 0 && !isBalanced(specOf(service))) {
    const why = "may only be used when `spec.type` is 'LoadBalancer'";
    errors.push(cause.forbidden("status.loadBalancer.ingress", why));
  } else {
    validateBalancerStatus(service, old, errors);
    validateIpModes(service, errors);
  }
}
