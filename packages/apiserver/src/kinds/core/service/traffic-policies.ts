import type { FieldErrors } from "../../../errors/field-errors.js";
import { cause } from "../../../errors/status-errors.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import {
  isUnset,
  validateGivenOneOf,
  validateOneOf,
  validatePort,
} from "../../../phases/validate/checks.js";
import { hasHealthCheck, isExposed } from "./service-types.js";

const policies = ["Cluster", "Local"];
const distributions = ["PreferClose", "PreferSameZone", "PreferSameNode"];

/** Appends the field errors of how a Service routes traffic to its endpoints. */
export function validateTrafficPolicies(spec: JsonObject, errors: FieldErrors): void {
  const { type, externalIPs, externalTrafficPolicy, internalTrafficPolicy, trafficDistribution } =
    spec;
  const isReachable =
    isExposed(spec) || (type === "ClusterIP" && stringsOf(externalIPs).length > 0);
  if (!isUnset(externalTrafficPolicy) && !isReachable) {
    const why = "may only be set for externally-accessible services";
    errors.push(cause.invalid("spec.externalTrafficPolicy", externalTrafficPolicy, why));
  } else {
    validateOneOf(externalTrafficPolicy, policies, "spec.externalTrafficPolicy", errors);
  }
  validateHealthCheckPort(spec, "spec.healthCheckNodePort", errors);
  validateGivenOneOf(internalTrafficPolicy, policies, "spec.internalTrafficPolicy", errors);
  validateGivenOneOf(trafficDistribution, distributions, "spec.trafficDistribution", errors);
}

function validateHealthCheckPort(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { healthCheckNodePort: port = 0 } = spec;
  if (port === 0) {
    return;
  }
  validatePort(port, path, errors);
  if (!hasHealthCheck(spec)) {
    const why =
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    errors.push(cause.invalid(path, port, why));
  }
}
