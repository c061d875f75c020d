import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import {
  appendInvalid,
  type Check,
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateOneOf,
  validateOptional,
  validateRange,
  validateRequiredWith,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateRelativePath } from "../fields/paths.js";
import { pullPolicies } from "../fields/pull-policies.js";

const needs =
  (...keys: readonly string[]): Check<JsonObject> =>
  (source, path, errors) => {
    for (const key of keys) {
      const value = source[key];
      if (isUnset(value) || (Array.isArray(value) && value.length === 0)) {
        errors.push(cause.required(`${path}.${key}`));
      }
    }
  };

/** Returns a check that makes other checks one after the other. */
const all =
  (...checks: readonly Check<JsonObject>[]): Check<JsonObject> =>
  (source, path, errors) => {
    for (const validate of checks) {
      validate(source, path, errors);
    }
  };

/** Maximum number of a partition or LUN. */
const maxNumber = 255;

const maxDriverName = 63;
const iqnPattern =
  /^(?:iqn\.\d{4}-\d{2}\.[a-z0-9.-]+(?::.*)?|eui\.[0-9a-fA-F]{16}|naa\.[0-9a-fA-F]{16,32})$/;
const diskUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const managedUri =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const pairs = "must be a host:port pair or multiple pairs separated by commas";
const eitherNames = "must specify either targetWWNs or wwids, but not both";

/** Checks of vendor-specific volume sources, by field. */
export const driverVolumeChecks: Readonly<Record<string, Check<JsonObject>>> = {
  awsElasticBlockStore: all(needs("volumeID"), validatePartition),
  azureDisk: all(needs("diskName", "diskURI"), validateAzureDisk),
  azureFile: needs("secretName", "shareName"),
  cephfs: needs("monitors"),
  cinder: needs("volumeID"),
  csi: validateCsi,
  fc: validateFibreChannel,
  flexVolume: needs("driver"),
  flocker: validateFlocker,
  // Errors use an older name of the field.
  gcePersistentDisk: (source, path, errors) =>
    all(needs("pdName"), validatePartition)(
      source,
      path.replace(/gcePersistentDisk$/, "persistentDisk"),
      errors,
    ),
  gitRepo: all(needs("repository"), ({ directory }, path, errors) =>
    validateRelativePath(directory, `${path}.directory`, errors),
  ),
  glusterfs: needs("endpoints", "path"),
  image: all(needs("reference"), ({ pullPolicy }, path, errors) =>
    validateOneOf(pullPolicy, pullPolicies, `${path}.pullPolicy`, errors),
  ),
  iscsi: all(needs("targetPortal", "iqn"), validateIscsi),
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  quobyte: all(validateQuobyteRegistry, needs("volume")),
  rbd: needs("monitors", "image"),
  scaleIO: needs("gateway", "system", "volumeName"),
  storageos({ volumeName, volumeNamespace }, path, errors) {
    validateRequiredWith(volumeName, validateDnsLabel, `${path}.volumeName`, errors);
    validateOptional(volumeNamespace, validateDnsLabel, `${path}.volumeNamespace`, errors);
  },
  vsphereVolume: needs("volumePath"),
};

function validatePartition({ partition }: JsonObject, path: string, errors: FieldErrors): void {
  if (partition !== 0) {
    validateRange(partition, [1, maxNumber], `${path}.partition`, errors);
  }
}

function validateAzureDisk(
  { diskURI, kind, cachingMode }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const uri = String(diskURI ?? "");
  const [start, form] =
    kind === "Managed" ? ["/subscriptions/", managedUri] : ["https://", diskUri];
  validateGivenOneOf(cachingMode, ["None", "ReadOnly", "ReadWrite"], `${path}.cachingMode`, errors);
  validateGivenOneOf(kind, ["Dedicated", "Managed", "Shared"], `${path}.kind`, errors);
  if (!uri.startsWith(start)) {
    errors.push(cause.notSupported(`${path}.diskURI`, uri, [form]));
  }
}

/** Appends the field errors of a CSI driver name. */
export function validateDriverName(name: unknown, path: string, errors: FieldErrors): void {
  if (isUnset(name)) {
    errors.push(cause.required(path));
    return;
  }
  const text = String(name);
  if (text.length > maxDriverName) {
    errors.push(cause.tooLong(path, maxDriverName));
  }
  appendInvalid(subdomainTexts(text.toLowerCase()), name, path, errors);
}

function validateCsi(
  { driver, nodePublishSecretRef: secret }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  validateDriverName(driver, `${path}.driver`, errors);
  if (isJsonObject(secret) && isUnset(secret["name"])) {
    errors.push(cause.required(`${path}.nodePublishSecretRef.name`));
  } else if (isJsonObject(secret)) {
    validateSubdomain(secret["name"], `${path}.name`, errors);
  }
}

function validateFibreChannel(
  { targetWWNs, wwids, lun }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const names = stringsOf(targetWWNs);
  const hasIds = stringsOf(wwids).length > 0;
  if (names.length === 0) {
    if (!hasIds) {
      errors.push(cause.required(`${path}.targetWWNs`, eitherNames));
    }
    return;
  }
  if (hasIds) {
    errors.push(cause.invalid(`${path}.targetWWNs`, names, eitherNames));
  }
  if (isUnset(lun)) {
    errors.push(cause.required(`${path}.lun`, "lun is required if targetWWNs is specified"));
  }
  validateRange(lun, [0, maxNumber], `${path}.lun`, errors);
}

function validateFlocker(
  { datasetName: name, datasetUUID: uuid }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(name) && isUnset(uuid)) {
    errors.push(cause.required(path, "one of datasetName and datasetUUID is required"));
  }
  if (!isUnset(name) && !isUnset(uuid)) {
    const why = "datasetName and datasetUUID can not be specified simultaneously";
    errors.push(cause.invalid(path, "resource", why));
  }
  if (String(name ?? "").includes("/")) {
    errors.push(cause.invalid(`${path}.datasetName`, name, "must not contain '/'"));
  }
}

function validateIscsi({ iqn, lun }: JsonObject, path: string, errors: FieldErrors): void {
  if (!isUnset(iqn) && !iqnPattern.test(String(iqn))) {
    const why = "must be valid format starting with iqn, eui, or naa";
    errors.push(cause.invalid(`${path}.iqn`, iqn, why));
  }
  validateRange(lun, [0, maxNumber], `${path}.lun`, errors);
}

function validateQuobyteRegistry(
  { registry }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const hosts = String(registry ?? "").split(",");
  if (isUnset(registry)) {
    errors.push(cause.required(`${path}.registry`, pairs));
  } else if (!hosts.every((host) => /^[^:]+:\d+$/.test(host))) {
    errors.push(cause.invalid(`${path}.registry`, registry, pairs));
  }
}
