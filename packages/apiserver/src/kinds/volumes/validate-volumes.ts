import { parseQuantity } from "@typekube/core/quantity";
import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import { isUnset } from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { dnsLabel, labels, oneOf, required } from "../../phases/validate/old-checks.js";
import { inwardPath, validateFileMode } from "../fields/paths.js";
import { driverVolumeChecks } from "./driver-volumes.js";
import { validateDownwardApi } from "./field-references.js";
import { validateKeyFile, validateProjection } from "./projections.js";
import { validateClaimSpec } from "./validate-claim.js";

const hostPathTypes = [
  "",
  "BlockDevice",
  "CharDevice",
  "Directory",
  "DirectoryOrCreate",
  "File",
  "FileOrCreate",
  "Socket",
];

/** Order in which sources are checked first; a second source is rejected. */
const order = ["emptyDir", "hostPath"];

/** Field errors of a pod's volumes, and the indexes of the invalid volumes. */
export interface CheckedVolumes {
  readonly causes: FieldErrors;
  readonly wrong: ReadonlySet<number>;
}

/**
 * Validates the volumes of a pod.
 *
 * @param podName - name of the pod, from which the names of its ephemeral claims derive.
 */
export function validateVolumes(
  volumes: readonly JsonObject[],
  field: string,
  podName: string | undefined,
): CheckedVolumes {
  const names = new Set<unknown>();
  const causes = volumes.map((volume, at) => {
    const path = `${field}[${at}]`;
    const { name } = volume;
    const isTwice = !isUnset(name) && names.has(name);
    names.add(name);
    return [
      ...validateSource(volume, path),
      ...(isJsonObject(volume["ephemeral"]) && podName !== undefined && !isUnset(name)
        ? validateClaimName(`${podName}-${String(name)}`, name, `${path}.name`)
        : []),
      ...(isUnset(name) ? [cause.required(`${path}.name`)] : dnsLabel(`${path}.name`, name)),
      ...(isTwice ? [cause.duplicate(`${path}.name`, name)] : []),
    ];
  });
  return {
    causes: causes.flat(),
    wrong: new Set(causes.flatMap((own, at) => (own.length > 0 ? [at] : []))),
  };
}

function validateClaimName(claim: string, volume: unknown, field: string): FieldErrors {
  return subdomainTexts(claim).map((why) =>
    cause.invalid(field, volume, `PVC name "${claim}": ${why}`),
  );
}

function validateSource(volume: JsonObject, field: string): FieldErrors {
  const given = Object.keys(volume)
    .filter((key) => key !== "name" && isJsonObject(volume[key]))
    .sort((a, b) => rank(a) - rank(b));
  const [first, ...others] = given;
  return [
    ...(first === undefined ? [] : oneSource(first, mapOf(volume[first]), `${field}.${first}`)),
    ...others.map((key) =>
      cause.forbidden(`${field}.${key}`, "may not specify more than 1 volume type"),
    ),
  ];
}

function rank(key: string): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

function oneSource(kind: string, source: JsonObject, field: string): FieldErrors {
  switch (kind) {
    case "emptyDir":
      return (parseQuantity(source["sizeLimit"])?.nanos ?? 0n) < 0n
        ? [
            cause.forbidden(
              `${field}.sizeLimit`,
              "SizeLimit field must be a valid resource quantity",
            ),
          ]
        : [];
    case "hostPath":
      return [
        ...required(`${field}.path`, source["path"]),
        ...inwardPath(`${field}.path`, source["path"]),
        ...oneOf(`${field}.type`, source["type"], hostPathTypes),
      ];
    case "secret":
      return [
        ...required(`${field}.secretName`, source["secretName"]),
        ...validateFile(source, field),
      ];
    case "configMap":
      return [...required(`${field}.name`, source["name"]), ...validateFile(source, field)];
    case "persistentVolumeClaim":
      return required(`${field}.claimName`, source["claimName"]);
    case "ephemeral": {
      const { volumeClaimTemplate: template } = source;
      const path = `${field}.volumeClaimTemplate`;
      return isJsonObject(template)
        ? [
            ...labels(`${path}.metadata.labels`, mapOf(template["metadata"])["labels"]),
            ...validateClaimSpec(mapOf(template["spec"]), `${path}.spec`),
          ]
        : [cause.required(path)];
    }
    case "projected":
      return validateProjection(source, field);
    case "downwardAPI":
      return validateDownwardApi(source, field);
    case "nfs":
      return [
        ...required(`${field}.server`, source["server"]),
        ...required(`${field}.path`, source["path"]),
        ...(String(source["path"] ?? "").startsWith("/")
          ? []
          : [cause.invalid(`${field}.path`, source["path"] ?? "", "must be an absolute path")]),
      ];
    default:
      return driverVolumeChecks[kind]?.(source, field) ?? [];
  }
}

function validateFile(source: JsonObject, field: string): FieldErrors {
  return [
    ...validateFileMode(`${field}.defaultMode`, source["defaultMode"]),
    ...objectsOf(source["items"]).flatMap((item, at) =>
      validateKeyFile(item, `${field}.items[${at}]`),
    ),
  ];
}
