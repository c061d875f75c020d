import { cause, type FieldErrors } from "../../errors/field-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import {
  appendInvalid,
  type Check,
  isUnset,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { fieldsCheck, fieldValidator, validateFields } from "../fields/validate-fields.js";

/** Returns a check that makes other checks one after the other. */
const all =
  (...checks: readonly Check<JsonObject>[]): Check<JsonObject> =>
  (source, path, errors) => {
    for (const validate of checks) {
      validate(source, path, errors);
    }
  };

const maxDriverName = 63;
const iqnPattern =
  /^(?:iqn\.\d{4}-\d{2}\.[a-z0-9.-]+(?::.*)?|eui\.[0-9a-fA-F]{16}|naa\.[0-9a-fA-F]{16,32})$/;
const diskUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const managedUri =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const pairs = "must be a host:port pair or multiple pairs separated by commas";
const eitherNames = "must specify either targetWWNs or wwids, but not both";

/** Checks of vendor-specific volume sources that rows can't express alone, by field. */
export const driverVolumeChecks: Readonly<Record<string, Check<JsonObject>>> = {
  azureDisk: all(fieldsCheck("core/v1.AzureDiskVolumeSource"), validateAzureDisk),
  csi: validateCsi,
  fc: validateFibreChannel,
  flocker: validateFlocker,
  // Errors use an older name of the field.
  gcePersistentDisk: (source, path, errors) =>
    validateFields(
      "core/v1.GCEPersistentDiskVolumeSource",
      source,
      path.replace(/gcePersistentDisk$/, "persistentDisk"),
      errors,
    ),
  iscsi: validateIscsi,
  quobyte: all(validateQuobyteRegistry, fieldsCheck("core/v1.QuobyteVolumeSource")),
};

function validateAzureDisk({ diskURI, kind }: JsonObject, path: string, errors: FieldErrors): void {
  const uri = String(diskURI ?? "");
  const [start, form] =
    kind === "Managed" ? ["/subscriptions/", managedUri] : ["https://", diskUri];
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

function validateFibreChannel(source: JsonObject, path: string, errors: FieldErrors): void {
  const { targetWWNs, wwids, lun } = source;
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
  validateFields("core/v1.FCVolumeSource", source, path, errors);
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

function validateIscsi(source: JsonObject, path: string, errors: FieldErrors): void {
  const { iqn } = source;
  const validate = fieldValidator("core/v1.ISCSIVolumeSource", source, path, errors);
  validate("targetPortal", "iqn");
  if (!isUnset(iqn) && !iqnPattern.test(String(iqn))) {
    const why = "must be valid format starting with iqn, eui, or naa";
    errors.push(cause.invalid(`${path}.iqn`, iqn, why));
  }
  validate("lun");
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
