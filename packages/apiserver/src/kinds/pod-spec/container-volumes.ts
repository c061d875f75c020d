import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { givenOneOf, required } from "../../phases/validate/old-checks.js";
import { inwardPath, relativePath } from "../fields/paths.js";
import type { PodSurroundings } from "./pod-surroundings.js";

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursions = ["Disabled", "Enabled", "IfPossible"];

/** Returns the field errors of a container's volume mounts. */
export function validateMount(
  one: JsonObject,
  field: string,
  { volumes }: PodSurroundings,
): FieldErrors {
  const paths = new Set<unknown>();
  return objectsOf(one["volumeMounts"]).flatMap((mount, at) => {
    const { name, mountPath, subPath, subPathExpr } = mount;
    const path = `${field}[${at}]`;
    const isTwice = paths.has(mountPath);
    paths.add(mountPath);
    const hasBoth = !isUnset(subPath) && !isUnset(subPathExpr);
    return [
      ...required(`${path}.name`, name),
      ...(volumes.has(name) ? [] : [cause.notFound(`${path}.name`, name ?? "")]),
      ...required(`${path}.mountPath`, mountPath),
      ...(isTwice ? [cause.invalid(`${path}.mountPath`, mountPath, "must be unique")] : []),
      // Like real servers, report these without the index of the mount.
      ...(isUnset(subPath) ? [] : relativePath(`${field}.subPath`, String(subPath))),
      ...(hasBoth
        ? [
            cause.invalid(
              `${field}.subPathExpr`,
              subPathExpr,
              "subPathExpr and subPath are mutually exclusive",
            ),
          ]
        : []),
      ...(isUnset(subPathExpr) ? [] : relativePath(`${field}.subPathExpr`, String(subPathExpr))),
      ...validatePropagation(mount, mapOf(one["securityContext"])["privileged"] === true, field),
    ];
  });
}

function validatePropagation(mount: JsonObject, isPrivileged: boolean, field: string): FieldErrors {
  const { mountPropagation, readOnly, recursiveReadOnly } = mount;
  const path = `${field}.recursiveReadOnly`;
  const isRecursive = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
  const isShared = ![undefined, null, "None"].includes(mountPropagation as string);
  return [
    ...givenOneOf(`${field}.mountPropagation`, mountPropagation, propagations),
    ...(mountPropagation === "Bidirectional" && !isPrivileged
      ? [
          cause.forbidden(
            `${field}.mountPropagation`,
            "Bidirectional mount propagation is available only to privileged containers",
          ),
        ]
      : []),
    ...givenOneOf(path, recursiveReadOnly, recursions),
    ...(isRecursive && readOnly !== true
      ? [cause.forbidden(path, "may only be specified when readOnly is true")]
      : []),
    ...(isRecursive && isShared
      ? [
          cause.forbidden(
            path,
            "may only be specified when mountPropagation is None or not specified",
          ),
        ]
      : []),
  ];
}

/** Returns the field errors of a container's volume devices. */
export function validateDevice(
  one: JsonObject,
  field: string,
  { volumes }: PodSurroundings,
): FieldErrors {
  const mounts = objectsOf(one["volumeMounts"]);
  const mountNames = new Set(mounts.map(({ name }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath }) => mountPath));
  const [names, paths] = [new Set<unknown>(), new Set<unknown>()];
  const unique = (at: string, value: unknown, seen: Set<unknown>) => {
    const isTwice = seen.has(value);
    seen.add(value);
    return isTwice ? [cause.invalid(at, value, "must be unique")] : [];
  };
  return objectsOf(one["volumeDevices"]).flatMap(({ name, devicePath }, at) => {
    const nameField = `${field}[${at}].name`;
    const pathField = `${field}[${at}].devicePath`;
    const volume = volumes.get(name);
    const isBlock = ["persistentVolumeClaim", "ephemeral"].some((key) =>
      isJsonObject(volume?.[key]),
    );
    return [
      ...required(nameField, name),
      ...unique(nameField, name, names),
      ...(volume === undefined
        ? [cause.notFound(nameField, name ?? "")]
        : isBlock
          ? []
          : [
              cause.invalid(
                nameField,
                name,
                "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode",
              ),
            ]),
      ...required(pathField, devicePath),
      ...unique(pathField, devicePath, paths),
      ...(inwardPath(pathField, devicePath).length > 0
        ? [cause.invalid(pathField, devicePath, "can not contain backsteps ('..')")]
        : []),
      ...(mountPaths.has(devicePath)
        ? [cause.invalid(pathField, devicePath, "must not already exist as a path in volumeMounts")]
        : []),
      ...(mountNames.has(name)
        ? [cause.invalid(nameField, name, "must not already exist in volumeMounts")]
        : []),
    ];
  });
}
