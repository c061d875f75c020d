import { collectErrors, type FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import {
  appendInvalid,
  isUnset,
  validateDnsLabel,
  validateGivenOneOf,
  validateOneOf,
  validateRange,
  validateRequired,
  validateSubdomain,
} from "../../phases/validate/checks.js";
import { subdomainTexts } from "../../phases/validate/name-texts.js";
import { validateRelativePath } from "../fields/paths.js";

type Check = (source: JsonObject, field: string) => FieldErrors;

const needs =
  (...keys: readonly string[]): Check =>
  (source, field) =>
    keys.flatMap((key) =>
      Array.isArray(source[key]) && source[key].length === 0
        ? [cause.required(`${field}.${key}`)]
        : collectErrors((found) => validateRequired(source[key], `${field}.${key}`, found)),
    );

/** Maximum number of a partition or LUN. */
const maxNumber = 255;

const partition = (source: JsonObject, field: string) =>
  isUnset(source["partition"]) || source["partition"] === 0
    ? []
    : collectErrors((found) =>
        validateRange(source["partition"], [1, maxNumber], `${field}.partition`, found),
      );

const lun = (source: JsonObject, field: string) =>
  isUnset(source["lun"])
    ? []
    : collectErrors((found) => validateRange(source["lun"], [0, maxNumber], `${field}.lun`, found));

const maxDriverName = 63;
const iqnPattern =
  /^(?:iqn\.\d{4}-\d{2}\.[a-z0-9.-]+(?::.*)?|eui\.[0-9a-fA-F]{16}|naa\.[0-9a-fA-F]{16,32})$/;
const diskUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";
const managedUri =
  "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const pairs = "must be a host:port pair or multiple pairs separated by commas";
const eitherNames = "must specify either targetWWNs or wwids, but not both";

/** Checks of vendor-specific volume sources, by field. */
export const driverVolumeChecks: Readonly<Record<string, Check>> = {
  awsElasticBlockStore: (source, field) => [
    ...needs("volumeID")(source, field),
    ...partition(source, field),
  ],
  azureDisk: validateAzureDisk,
  azureFile: needs("secretName", "shareName"),
  cephfs: needs("monitors"),
  cinder: needs("volumeID"),
  csi: validateCsi,
  fc: validateFibreChannel,
  flexVolume: needs("driver"),
  flocker: validateFlocker,
  // Errors use an older name of the field.
  gcePersistentDisk: (source, field) => {
    const path = field.replace(/gcePersistentDisk$/, "persistentDisk");
    return [...needs("pdName")(source, path), ...partition(source, path)];
  },
  gitRepo: (source, field) => [
    ...needs("repository")(source, field),
    ...collectErrors((found) =>
      validateRelativePath(`${field}.directory`, found, String(source["directory"] ?? "")),
    ),
  ],
  glusterfs: needs("endpoints", "path"),
  image: (source, field) => [
    ...needs("reference")(source, field),
    ...collectErrors((found) =>
      validateOneOf(
        source["pullPolicy"],
        ["Always", "IfNotPresent", "Never"],
        `${field}.pullPolicy`,
        found,
      ),
    ),
  ],
  iscsi: (source, field) => [
    ...needs("targetPortal", "iqn")(source, field),
    ...(isUnset(source["iqn"]) || iqnPattern.test(String(source["iqn"]))
      ? []
      : [
          cause.invalid(
            `${field}.iqn`,
            source["iqn"],
            "must be valid format starting with iqn, eui, or naa",
          ),
        ]),
    ...lun(source, field),
  ],
  photonPersistentDisk: needs("pdID"),
  portworxVolume: needs("volumeID"),
  quobyte: validateQuobyte,
  rbd: needs("monitors", "image"),
  scaleIO: needs("gateway", "system", "volumeName"),
  storageos: (source, field) => [
    ...(isUnset(source["volumeName"])
      ? needs("volumeName")(source, field)
      : collectErrors((found) =>
          validateDnsLabel(source["volumeName"], `${field}.volumeName`, found),
        )),
    ...(isUnset(source["volumeNamespace"])
      ? []
      : collectErrors((found) =>
          validateDnsLabel(source["volumeNamespace"], `${field}.volumeNamespace`, found),
        )),
  ],
  vsphereVolume: needs("volumePath"),
};

function validateAzureDisk(source: JsonObject, field: string): FieldErrors {
  const { diskURI, kind } = source;
  const isManaged = kind === "Managed";
  const uri = String(diskURI ?? "");
  const isRight = isManaged ? uri.startsWith("/subscriptions/") : uri.startsWith("https://");
  return [
    ...needs("diskName", "diskURI")(source, field),
    ...collectErrors((found) =>
      validateGivenOneOf(
        source["cachingMode"],
        ["None", "ReadOnly", "ReadWrite"],
        `${field}.cachingMode`,
        found,
      ),
    ),
    ...collectErrors((found) =>
      validateGivenOneOf(kind, ["Dedicated", "Managed", "Shared"], `${field}.kind`, found),
    ),
    ...(isRight
      ? []
      : [cause.notSupported(`${field}.diskURI`, uri, [isManaged ? managedUri : diskUri])]),
  ];
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

function validateCsi(source: JsonObject, field: string): FieldErrors {
  const { driver, nodePublishSecretRef: secret } = source;
  return [
    ...collectErrors((found) => validateDriverName(driver, `${field}.driver`, found)),
    ...(isJsonObject(secret)
      ? isUnset(secret["name"])
        ? [cause.required(`${field}.nodePublishSecretRef.name`)]
        : collectErrors((found) => validateSubdomain(secret["name"], `${field}.name`, found))
      : []),
  ];
}

function validateFibreChannel(source: JsonObject, field: string): FieldErrors {
  const [names, ids] = [stringsOf(source["targetWWNs"]), stringsOf(source["wwids"])];
  return [
    ...(names.length === 0 && ids.length === 0
      ? [cause.required(`${field}.targetWWNs`, eitherNames)]
      : []),
    ...(names.length > 0 && ids.length > 0
      ? [cause.invalid(`${field}.targetWWNs`, names, eitherNames)]
      : []),
    ...(names.length > 0 && isUnset(source["lun"])
      ? [cause.required(`${field}.lun`, "lun is required if targetWWNs is specified")]
      : names.length > 0
        ? lun(source, field)
        : []),
  ];
}

function validateFlocker({ datasetName, datasetUUID }: JsonObject, field: string): FieldErrors {
  return [
    ...(isUnset(datasetName) && isUnset(datasetUUID)
      ? [cause.required(field, "one of datasetName and datasetUUID is required")]
      : []),
    ...(!isUnset(datasetName) && !isUnset(datasetUUID)
      ? [
          cause.invalid(
            field,
            "resource",
            "datasetName and datasetUUID can not be specified simultaneously",
          ),
        ]
      : []),
    ...(String(datasetName ?? "").includes("/")
      ? [cause.invalid(`${field}.datasetName`, datasetName, "must not contain '/'")]
      : []),
  ];
}

function validateQuobyte(source: JsonObject, field: string): FieldErrors {
  const { registry } = source;
  const path = `${field}.registry`;
  const isRight = String(registry ?? "")
    .split(",")
    .every((pair) => /^[^:]+:\d+$/.test(pair));
  return [
    ...(isUnset(registry)
      ? [cause.required(path, pairs)]
      : isRight
        ? []
        : [cause.invalid(path, registry, pairs)]),
    ...needs("volume")(source, field),
  ];
}
