import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { containerLists, placedContainers } from "./placed-containers.js";

const noHostUsers = "when `hostUsers` is false";

/** Appends the field errors of sharing processes with the host and among containers. */
export function validateProcessSharing(
  { shareProcessNamespace, hostPID }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (shareProcessNamespace === true && hostPID === true) {
    const why = "ShareProcessNamespace and HostPID cannot both be enabled";
    errors.push(cause.invalid(`${path}.shareProcessNamespace`, true, why));
  }
}

/**
 * Appends the field errors of a pod in its own user namespace, which excludes other host namespaces and raw block
 * devices.
 */
export function validateUserNamespace(spec: JsonObject, path: string, errors: FieldErrors): void {
  if (spec["hostUsers"] !== false) {
    return;
  }
  // Real servers use the Go names of two fields.
  const names = { hostNetwork: "hostNetwork", hostPID: "HostPID", hostIPC: "HostIPC" };
  for (const [key, name] of Object.entries(names)) {
    if (spec[key] === true) {
      errors.push(cause.forbidden(`${path}.${name}`, noHostUsers));
    }
  }
  for (const { container, path: place } of placedContainers(spec, path, containerLists)) {
    if (objectsOf(container["volumeDevices"]).length > 0) {
      errors.push(cause.forbidden(`${place}.volumeDevices`, noHostUsers));
    }
  }
}

/** Appends the field errors of Windows host processes: either all containers of a pod are host processes or none. */
export function validateHostProcess(spec: JsonObject, path: string, errors: FieldErrors): void {
  const ofPod = hostProcessOf(spec);
  let some = false;
  let all = true;
  for (const { container, path: place } of placedContainers(spec, path, containerLists)) {
    const own = hostProcessOf(container);
    if (own !== undefined && ofPod !== undefined && own !== ofPod) {
      const why = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      errors.push(cause.invalid(`${place}.securityContext.windowsOptions.hostProcess`, own, why));
    }
    const isHostProcess = own ?? ofPod ?? false;
    some ||= isHostProcess;
    all &&= isHostProcess;
  }
  if (some && !all) {
    const why =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    errors.push(cause.invalid(path, "", why));
  }
  if (some && spec["hostNetwork"] !== true) {
    const why = "hostNetwork must be true if pod contains any hostProcess containers";
    errors.push(cause.invalid(`${path}.hostNetwork`, false, why));
  }
}

function hostProcessOf(holder: JsonObject): boolean | undefined {
  const { hostProcess } = mapOf(mapOf(holder["securityContext"])["windowsOptions"]);
  return typeof hostProcess === "boolean" ? hostProcess : undefined;
}
