import { cause, type FieldErrors } from "../../../errors/field-errors.js";
import type { JsonObject } from "../../../objects/json-value.js";
import {
  validateDnsLabel,
  validateOptional,
  validateRequiredWith,
  validateUniqueKeys,
} from "../../../phases/validate/checks.js";
import { validateFields } from "../../fields/validate-fields.js";

/** Appends the field errors of each port of a Service. */
export function validateServicePorts(
  ports: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  const validateName = ports.length > 1 ? validateRequiredWith : validateOptional;
  for (const [at, port] of ports.entries()) {
    validateName(port["name"], validateDnsLabel, `${path}[${at}].name`, errors);
    validateFields("core/v1.ServicePort", port, `${path}[${at}]`, errors);
  }
  validateUniqueKeys(ports, "name", path, errors);
}

/** Appends errors for ports and node ports that are used twice, and for node ports of a ClusterIP Service. */
export function validateUsedPorts(
  ports: readonly JsonObject[],
  type: unknown,
  path: string,
  errors: FieldErrors,
): void {
  for (const [at, { nodePort }] of ports.entries()) {
    if (type === "ClusterIP" && (nodePort ?? 0) !== 0) {
      const why = "may not be used when `type` is 'ClusterIP'";
      errors.push(cause.forbidden(`${path}[${at}].nodePort`, why));
    }
  }
  const nodePorts = new Set<string>();
  for (const [at, { nodePort, protocol }] of ports.entries()) {
    const key = `${String(protocol)}/${String(nodePort)}`;
    if ((nodePort ?? 0) !== 0 && nodePorts.has(key)) {
      errors.push(cause.duplicate(`${path}[${at}].nodePort`, nodePort));
    }
    nodePorts.add(key);
  }
  const seen = new Set<string>();
  for (const [at, { port, protocol }] of ports.entries()) {
    const key = `${String(protocol)}/${String(port)}`;
    if (seen.has(key)) {
      errors.push(cause.duplicate(`${path}[${at}]`, goPort(port, protocol)));
    }
    seen.add(key);
  }
}

/** Formats the identity of a port like Go. */
function goPort(port: unknown, protocol: unknown): JsonObject {
  return {
    Name: "",
    Protocol: protocol,
    AppProtocol: null,
    Port: port,
    TargetPort: 0,
    NodePort: 0,
  };
}
