import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import { appendInvalid } from "../../phases/validate/checks.js";
import { portNameTexts } from "../../phases/validate/name-texts.js";
import { validateFields } from "../fields/validate-fields.js";
import type { PodSurroundings } from "./pod-surroundings.js";

/** Appends the field errors of a container's ports. */
export function validateContainerPorts(
  ports: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
  { hostNetwork }: PodSurroundings,
): void {
  const names = new Set<unknown>();
  for (const [at, port] of ports.entries()) {
    const { name, containerPort, hostPort } = port;
    const place = `${path}[${at}]`;
    if (typeof name === "string" && name !== "") {
      const texts = portNameTexts(name);
      appendInvalid(texts, name, `${place}.name`, errors);
      if (texts.length === 0 && names.has(name)) {
        errors.push(cause.duplicate(`${place}.name`, name));
      }
      names.add(name);
    }
    validateFields("core/v1.ContainerPort", port, place, errors);
    if (hostNetwork && (hostPort ?? 0) !== 0 && hostPort !== containerPort) {
      const why = "must match `containerPort` when `hostNetwork` is true";
      errors.push(cause.invalid(`${place}.hostPort`, hostPort, why));
    }
  }
}

/** Appends errors for ports of the host that several containers use. */
export function validateHostPorts(
  containers: readonly JsonObject[],
  path: string,
  errors: FieldErrors,
): void {
  const seen = new Set<string>();
  for (const [at, container] of containers.entries()) {
    for (const [portAt, port] of objectsOf(container["ports"]).entries()) {
      const { hostPort, protocol, hostIP } = port;
      const key = `${String(protocol)}/${String(hostIP ?? "")}/${String(hostPort)}`;
      if ((hostPort ?? 0) !== 0 && seen.has(key)) {
        errors.push(cause.duplicate(`${path}[${at}].ports[${portAt}].hostPort`, key));
      }
      seen.add(key);
    }
  }
}
