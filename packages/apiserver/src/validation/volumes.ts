import { mapOf, objectsOf } from "../kinds/parts.js";
import { parseQuantity } from "../kinds/quantity.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject } from "../store/json-value.js";
import {
  type Causes,
  dnsLabel,
  duplicates,
  isUnset,
  oneOf,
  required,
  subdomainTexts,
} from "./checks.js";
import { claimSpecCauses } from "./claims.js";
import { fileModeCauses, inwardPath } from "./paths.js";
import { downwardCauses } from "./pod-fields.js";
import { keyFileCauses, projectionCauses } from "./projections.js";

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

/** The order in which sources are looked at; the second one found is refused. */
const order = ["emptyDir", "hostPath"];

/** What is wrong with the volumes of a pod. */
export function volumesCauses(volumes: readonly JsonObject[], field: string): Causes {
  return [
    ...volumes.flatMap((volume, at) => {
      const path = `${field}[${at}]`;
      const { name } = volume;
      return [
        ...sourceCauses(volume, path),
        ...(isUnset(name) ? [cause.required(`${path}.name`)] : dnsLabel(`${path}.name`, name)),
      ];
    }),
    ...duplicates(
      volumes.map(({ name }) => name),
      (at) => `${field}[${at}].name`,
    ),
  ];
}

function sourceCauses(volume: JsonObject, field: string): Causes {
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

function oneSource(kind: string, source: JsonObject, field: string): Causes {
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
        ...fileCauses(source, field),
      ];
    case "configMap":
      return [...required(`${field}.name`, source["name"]), ...fileCauses(source, field)];
    case "persistentVolumeClaim":
      return required(`${field}.claimName`, source["claimName"]);
    case "csi":
      return isUnset(source["driver"])
        ? [cause.required(`${field}.driver`)]
        : subdomainTexts(String(source["driver"]).toLowerCase()).map((why) =>
            cause.invalid(`${field}.driver`, source["driver"], why),
          );
    case "ephemeral": {
      const { spec } = mapOf(source["volumeClaimTemplate"]);
      return claimSpecCauses(mapOf(spec), `${field}.volumeClaimTemplate.spec`);
    }
    case "projected":
      return projectionCauses(source, field);
    case "downwardAPI":
      return downwardCauses(source, field);
    case "nfs":
      return [
        ...required(`${field}.server`, source["server"]),
        ...required(`${field}.path`, source["path"]),
        ...(String(source["path"] ?? "").startsWith("/")
          ? []
          : [cause.invalid(`${field}.path`, source["path"] ?? "", "must be an absolute path")]),
      ];
    default:
      return [];
  }
}

function fileCauses(source: JsonObject, field: string): Causes {
  return [
    ...fileModeCauses(`${field}.defaultMode`, source["defaultMode"]),
    ...objectsOf(source["items"]).flatMap((item, at) =>
      keyFileCauses(item, `${field}.items[${at}]`),
    ),
  ];
}
