import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { hasBackstep } from "../fields/paths.js";
import { fieldValidator } from "../fields/validate-fields.js";
import type { PodSurroundings } from "./pod-surroundings.js";

/** Appends the field errors of a container's volume mounts. Some errors don't contain the index of the mount. */
export function validateMounts(
  container: JsonObject,
  path: string,
  errors: FieldErrors,
  { volumes }: PodSurroundings,
): void {
  const isPrivileged = mapOf(container["securityContext"])["privileged"] === true;
  const paths = new Set<unknown>();
  for (const [at, mount] of objectsOf(container["volumeMounts"]).entries()) {
    const { name, mountPath, subPath, subPathExpr } = mount;
    const place = `${path}[${at}]`;
    const validate = fieldValidator("core/v1.VolumeMount", mount, place, errors);
    const validateUnplaced = fieldValidator("core/v1.VolumeMount", mount, path, errors);
    validate("name");
    if (!volumes.has(name)) {
      errors.push(cause.notFound(`${place}.name`, name ?? ""));
    }
    validate("mountPath");
    if (paths.has(mountPath)) {
      errors.push(cause.invalid(`${place}.mountPath`, mountPath, "must be unique"));
    }
    paths.add(mountPath);
    validateUnplaced("subPath");
    if (!isUnset(subPath) && !isUnset(subPathExpr)) {
      const why = "subPathExpr and subPath are mutually exclusive";
      errors.push(cause.invalid(`${path}.subPathExpr`, subPathExpr, why));
    }
    validateUnplaced("subPathExpr");
    validatePropagation(mount, isPrivileged, path, errors);
  }
}

function validatePropagation(
  mount: JsonObject,
  isPrivileged: boolean,
  path: string,
  errors: FieldErrors,
): void {
  const { mountPropagation, readOnly, recursiveReadOnly } = mount;
  const validate = fieldValidator("core/v1.VolumeMount", mount, path, errors);
  const isRecursive = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
  validate("mountPropagation");
  if (mountPropagation === "Bidirectional" && !isPrivileged) {
    const why = "Bidirectional mount propagation is available only to privileged containers";
    errors.push(cause.forbidden(`${path}.mountPropagation`, why));
  }
  validate("recursiveReadOnly");
  if (isRecursive && readOnly !== true) {
    const why = "may only be specified when readOnly is true";
    errors.push(cause.forbidden(`${path}.recursiveReadOnly`, why));
  }
  if (isRecursive && (mountPropagation ?? "None") !== "None") {
    const why = "may only be specified when mountPropagation is None or not specified";
    errors.push(cause.forbidden(`${path}.recursiveReadOnly`, why));
  }
}

/** Appends the field errors of a container's volume devices. */
export function validateDevices(
  container: JsonObject,
  path: string,
  errors: FieldErrors,
  { volumes }: PodSurroundings,
): void {
  const mounts = objectsOf(container["volumeMounts"]);
  const devices = objectsOf(container["volumeDevices"]);
  const isRepeated = (key: string, at: number) =>
    devices.slice(0, at).some((device) => device[key] === devices[at]?.[key]);
  for (const [at, device] of devices.entries()) {
    const { name, devicePath } = device;
    const namePath = `${path}[${at}].name`;
    const validate = fieldValidator("core/v1.VolumeDevice", device, `${path}[${at}]`, errors);
    validate("name");
    if (isRepeated("name", at)) {
      errors.push(cause.invalid(namePath, name, "must be unique"));
    }
    validateBlockVolume(name, volumes.get(name), namePath, errors);
    validate("devicePath");
    validateDevicePath(devicePath, `${path}[${at}].devicePath`, errors, {
      isRepeated: isRepeated("devicePath", at),
      isMounted: mounts.some(({ mountPath }) => mountPath === devicePath),
    });
    if (mounts.some((mount) => mount["name"] === name)) {
      errors.push(cause.invalid(namePath, name, "must not already exist in volumeMounts"));
    }
  }
}

function validateBlockVolume(
  name: unknown,
  volume: JsonObject | undefined,
  path: string,
  errors: FieldErrors,
): void {
  if (volume === undefined) {
    errors.push(cause.notFound(path, name ?? ""));
  } else if (!isJsonObject(volume["persistentVolumeClaim"]) && !isJsonObject(volume["ephemeral"])) {
    const why =
      "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
    errors.push(cause.invalid(path, name, why));
  }
}

function validateDevicePath(
  device: unknown,
  path: string,
  errors: FieldErrors,
  { isRepeated, isMounted }: { readonly isRepeated: boolean; readonly isMounted: boolean },
): void {
  if (isRepeated) {
    errors.push(cause.invalid(path, device, "must be unique"));
  }
  if (hasBackstep(device)) {
    errors.push(cause.invalid(path, device, "can not contain backsteps ('..')"));
  }
  if (isMounted) {
    errors.push(cause.invalid(path, device, "must not already exist as a path in volumeMounts"));
  }
}
