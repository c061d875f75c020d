import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { ApiObject } from "../../../objects/api-object.js";
import { type JsonObject, stringsOf } from "../../../objects/json-value.js";
import { mapOf, objectsOf, specOf } from "../../../objects/parts.js";
import { ipTexts, specialAddressTexts } from "../../../phases/validate/addresses.js";
import {
  appendInvalid,
  isUnset,
  validateItems,
  validateSubdomain,
} from "../../../phases/validate/checks.js";
import { fieldValidator } from "../../fields/validate-fields.js";
import { validateClusterAddresses } from "./cluster-addresses.js";
import { validateLoadBalancer } from "./load-balancer.js";
import { validateServicePorts, validateUsedPorts } from "./service-ports.js";
import { isExposed } from "./service-types.js";
import { validateTrafficPolicies } from "./traffic-policies.js";

/** Appends the field errors of a Service. */
export function validateService(service: ApiObject, errors: FieldErrors, old?: ApiObject): void {
  const spec = specOf(service);
  const { type, clusterIP } = spec;
  const ports = objectsOf(spec["ports"]);
  const validate = fieldValidator("core/v1.ServiceSpec", spec, "spec", errors);
  if (ports.length === 0 && clusterIP !== "None" && type !== "ExternalName") {
    errors.push(cause.required("spec.ports"));
  }
  if (type === "ExternalName") {
    validateExternalName(spec, "spec", errors);
  }
  if (isExposed(spec) && clusterIP === "None") {
    const why = `may not be set to 'None' for ${String(type)} services`;
    errors.push(cause.invalid("spec.clusterIPs[0]", "None", why));
  }
  validateServicePorts(ports, "spec.ports", errors);
  validate("selector", "sessionAffinity");
  validateSessionAffinity(spec, errors);
  validateClusterAddresses(spec, errors, specOf(old ?? {}));
  validateItems(stringsOf(spec["externalIPs"]), validateExternalIp, "spec.externalIPs", errors);
  validate("type");
  validateUsedPorts(ports, type, "spec.ports", errors);
  validateLoadBalancer(service, errors, old);
  validateTrafficPolicies(spec, errors);
}

function validateExternalName(spec: JsonObject, path: string, errors: FieldErrors): void {
  const { clusterIP, ipFamilies, ipFamilyPolicy, externalName } = spec;
  const given: readonly (readonly [key: string, isGiven: boolean])[] = [
    ["clusterIPs", !isUnset(clusterIP)],
    ["ipFamilies", stringsOf(ipFamilies).length > 0],
    ["ipFamilyPolicy", ipFamilyPolicy !== undefined],
  ];
  for (const [key] of given.filter(([, isGiven]) => isGiven)) {
    errors.push(cause.forbidden(`${path}.${key}`, "may not be set for ExternalName services"));
  }
  if (isUnset(externalName)) {
    errors.push(cause.required(`${path}.externalName`));
  } else {
    const name = String(externalName).replace(/\.$/, "");
    validateSubdomain(name, `${path}.externalName`, errors);
  }
}

const maxAffinitySeconds = 86_400;

function validateSessionAffinity(spec: JsonObject, errors: FieldErrors): void {
  const { sessionAffinity, sessionAffinityConfig } = spec;
  const { timeoutSeconds: seconds } = mapOf(mapOf(sessionAffinityConfig)["clientIP"]);
  const isWrong = typeof seconds === "number" && (seconds <= 0 || seconds > maxAffinitySeconds);
  if (sessionAffinity === "ClientIP" && isWrong) {
    const path = "spec.sessionAffinityConfig.clientIP.timeoutSeconds";
    const why = `must be greater than 0 and less than ${maxAffinitySeconds}`;
    errors.push(cause.invalid(path, seconds, why));
  }
}

function validateExternalIp(ip: string, path: string, errors: FieldErrors): void {
  const texts = ipTexts(ip);
  appendInvalid(texts.length > 0 ? texts : specialAddressTexts(ip), ip, path, errors);
}
