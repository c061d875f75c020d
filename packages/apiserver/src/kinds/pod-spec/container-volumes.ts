import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset, validateGivenOneOf, validateRequired } from "../../phases/validate/checks.js";
import { validateInwardPath, validateRelativePath } from "../fields/paths.js";
import type { PodSurroundings } from "./pod-surroundings.js";

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursions = ["Disabled", "Enabled", "IfPossible"];

/** Appends the field errors of a container's volume mounts. */
export function validateMount(
  one: JsonObject,
  field: string,
  errors: FieldErrors,
  { volumes }: PodSurroundings,
): void {
  const paths = new Set<unknown>();
  for (const [at, mount] of objectsOf(one["volumeMounts"]).entries()) {
    const { name, mountPath, subPath, subPathExpr } = mount;
    const path = `${field}[${at}]`;
    const isTwice = paths.has(mountPath);
    paths.add(mountPath);
    const hasBoth = !isUnset(subPath) && !isUnset(subPathExpr);
    validateRequired(name, `${path}.name`, errors);
    if (!volumes.has(name)) {
      errors.push(cause.notFound(`${path}.name`, name ?? ""));
    }
    validateRequired(mountPath, `${path}.mountPath`, errors);
    if (isTwice) {
      errors.push(cause.invalid(`${path}.mountPath`, mountPath, "must be unique"));
    }
    if (!isUnset(subPath)) {
      validateRelativePath(`${field}.subPath`, errors, String(subPath));
    }
    if (hasBoth) {
      errors.push(
        cause.invalid(
          `${field}.subPathExpr`,
          subPathExpr,
          "subPathExpr and subPath are mutually exclusive",
        ),
      );
    }
    if (!isUnset(subPathExpr)) {
      validateRelativePath(`${field}.subPathExpr`, errors, String(subPathExpr));
    }
    validatePropagation(mount, mapOf(one["securityContext"])["privileged"] === true, field, errors);
  }
}

function validatePropagation(
  mount: JsonObject,
  isPrivileged: boolean,
  field: string,
  errors: FieldErrors,
): void {
  const { mountPropagation, readOnly, recursiveReadOnly } = mount;
  const path = `${field}.recursiveReadOnly`;
  const isRecursive = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
  const isShared = ![undefined, null, "None"].includes(mountPropagation as string);
  validateGivenOneOf(mountPropagation, propagations, `${field}.mountPropagation`, errors);
  if (mountPropagation === "Bidirectional" && !isPrivileged) {
    errors.push(
      cause.forbidden(
        `${field}.mountPropagation`,
        "Bidirectional mount propagation is available only to privileged containers",
      ),
    );
  }
  validateGivenOneOf(recursiveReadOnly, recursions, path, errors);
  if (isRecursive && readOnly !== true) {
    errors.push(cause.forbidden(path, "may only be specified when readOnly is true"));
  }
  if (isRecursive && isShared) {
    errors.push(
      cause.forbidden(path, "may only be specified when mountPropagation is None or not specified"),
    );
  }
}

/** Appends the field errors of a container's volume devices. */
export function validateDevice(
  one: JsonObject,
  path: string,
  errors: FieldErrors,
  { volumes }: PodSurroundings,
): void {
  const mounts = objectsOf(one["volumeMounts"]);
  const mountNames = new Set(mounts.map(({ name }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath }) => mountPath));
  const [names, paths] = [new Set<unknown>(), new Set<unknown>()];
  const unique = (at: string, value: unknown, seen: Set<unknown>) => {
    const isTwice = seen.has(value);
    seen.add(value);
    return isTwice ? [cause.invalid(at, value, "must be unique")] : [];
  };
  for (const [at, { name, devicePath }] of objectsOf(one["volumeDevices"]).entries()) {
    const nameField = `${path}[${at}].name`;
    const pathField = `${path}[${at}].devicePath`;
    const volume = volumes.get(name);
    const isBlock = ["persistentVolumeClaim", "ephemeral"].some((key) =>
      isJsonObject(volume?.[key]),
    );
    validateRequired(name, nameField, errors);
    errors.push(...unique(nameField, name, names));
    if (volume === undefined) {
      errors.push(cause.notFound(nameField, name ?? ""));
    } else if (!isBlock) {
      errors.push(
        cause.invalid(
          nameField,
          name,
          "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
        ),
      );
    }
    validateRequired(devicePath, pathField, errors);
    errors.push(...unique(pathField, devicePath, paths));
    if (collectErrors((found) => validateInwardPath(devicePath, pathField, found)).length > 0) {
      errors.push(cause.invalid(pathField, devicePath, "can not contain backsteps ('..')"));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(
        cause.invalid(pathField, devicePath, "must not already exist as a path in volumeMounts"),
      );
    }
    if (mountNames.has(name)) {
      errors.push(cause.invalid(nameField, name, "must not already exist in volumeMounts"));
    }
  }
}
