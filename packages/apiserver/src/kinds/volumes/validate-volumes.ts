import { parseQuantity } from "@typekube/core/quantity";
import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject } from "../../objects/json-value.js";
import { mapOf, objectsOf } from "../../objects/parts.js";
import {
  isUnset,
  validateDnsLabel,
  validateItems,
  validateLabels,
  validateOneOf,
  validateRequired,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateFileMode, validateInwardPath } from "../fields/paths.js";
import { validateClaimSpec } from "./claim-spec.js";
import { driverVolumeChecks } from "./driver-volumes.js";
import { validateDownwardApi } from "./field-references.js";
import { validateKeyFile, validateProjection } from "./projections.js";

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
      ...collectErrors((found) => validateSource(volume, path, found)),
      ...(isJsonObject(volume["ephemeral"]) && podName !== undefined && !isUnset(name)
        ? collectErrors((found) =>
            validateClaimName(`${podName}-${String(name)}`, name, `${path}.name`, found),
          )
        : []),
      ...(isUnset(name)
        ? [cause.required(`${path}.name`)]
        : collectErrors((found) => validateDnsLabel(name, `${path}.name`, found))),
      ...(isTwice ? [cause.duplicate(`${path}.name`, name)] : []),
    ];
  });
  return {
    causes: causes.flat(),
    wrong: new Set(causes.flatMap((own, at) => (own.length > 0 ? [at] : []))),
  };
}

function validateClaimName(
  claim: string,
  volume: unknown,
  path: string,
  errors: FieldErrors,
): void {
  for (const why of subdomainTexts(claim)) {
    errors.push(cause.invalid(path, volume, `PVC name "${claim}": ${why}`));
  }
}

function validateSource(volume: JsonObject, path: string, errors: FieldErrors): void {
  const given = Object.keys(volume)
    .filter((key) => key !== "name" && isJsonObject(volume[key]))
    .sort((a, b) => rank(a) - rank(b));
  const [first, ...others] = given;
  if (first !== undefined) {
    validateOneSource(first, mapOf(volume[first]), `${path}.${first}`, errors);
  }
  for (const key of others) {
    errors.push(cause.forbidden(`${path}.${key}`, "may not specify more than 1 volume type"));
  }
}

function rank(key: string): number {
  const at = order.indexOf(key);
  return at < 0 ? order.length : at;
}

function validateOneSource(
  kind: string,
  source: JsonObject,
  field: string,
  errors: FieldErrors,
): void {
  switch (kind) {
    case "emptyDir":
      if ((parseQuantity(source["sizeLimit"])?.nanos ?? 0n) < 0n) {
        errors.push(
          cause.forbidden(
            `${field}.sizeLimit`,
            "SizeLimit field must be a valid resource quantity",
          ),
        );
      }
      break;
    case "hostPath":
      validateRequired(source["path"], `${field}.path`, errors);
      validateInwardPath(source["path"], `${field}.path`, errors);
      validateOneOf(source["type"], hostPathTypes, `${field}.type`, errors);
      break;
    case "secret":
      validateRequired(source["secretName"], `${field}.secretName`, errors);
      validateFile(source, field, errors);
      break;
    case "configMap":
      validateRequired(source["name"], `${field}.name`, errors);
      validateFile(source, field, errors);
      break;
    case "persistentVolumeClaim":
      validateRequired(source["claimName"], `${field}.claimName`, errors);
      break;
    case "ephemeral": {
      const { volumeClaimTemplate: template } = source;
      const path = `${field}.volumeClaimTemplate`;
      if (isJsonObject(template)) {
        validateLabels(mapOf(template["metadata"])["labels"], `${path}.metadata.labels`, errors);
        validateClaimSpec(mapOf(template["spec"]), `${path}.spec`, errors);
      } else {
        errors.push(cause.required(path));
      }
      break;
    }
    case "projected":
      validateProjection(source, field, errors);
      break;
    case "downwardAPI":
      validateDownwardApi(source, field, errors);
      break;
    case "nfs":
      validateRequired(source["server"], `${field}.server`, errors);
      validateRequired(source["path"], `${field}.path`, errors);
      if (!String(source["path"] ?? "").startsWith("/")) {
        errors.push(
          cause.invalid(`${field}.path`, source["path"] ?? "", "must be an absolute path"),
        );
      }
      break;
    default:
      errors.push(...(driverVolumeChecks[kind]?.(source, field) ?? []));
  }
}

function validateFile(source: JsonObject, path: string, errors: FieldErrors): void {
  validateFileMode(source["defaultMode"], `${path}.defaultMode`, errors);
  validateItems(objectsOf(source["items"]), validateKeyFile, `${path}.items`, errors);
}
