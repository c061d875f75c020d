import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { isUnset } from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { hasHealthCheck, isExposed } from "./service-types.js";

/** Appends the field errors of how a Service routes traffic to its endpoints. */
export function validateTrafficPolicies(spec: JsonObject, errors: FieldErrors): void {
  const { type, externalIPs, externalTrafficPolicy } = spec;
  const validate = fieldValidator("core/v1.ServiceSpec", spec, "spec", errors);
  const isReachable =
    isExposed(spec) || (type === "ClusterIP" && stringsOf(externalIPs).length > 0);
  if (!isUnset(externalTrafficPolicy) && !isReachable) {
    const why = "may only be set for externally-accessible services";
    errors.push(cause.invalid("spec.externalTrafficPolicy", externalTrafficPolicy, why));
  } else {
    validate("externalTrafficPolicy");
  }
  validate("healthCheckNodePort");
  validateHealthCheckPort(spec, "spec.healthCheckNodePort", errors);
  validate("internalTrafficPolicy", "trafficDistribution");
}

function validateHealthCheckPort(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { healthCheckNodePort: port = 0 } = spec;
  if (port !== 0 && !hasHealthCheck(spec)) {
    const why =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(cause.invalid(path, port, why));
  }
}
