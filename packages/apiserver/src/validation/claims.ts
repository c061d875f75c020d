import { parseQuantity } from "@typekube/core/quantity";
import { mapOf, specOf } from "../kinds/parts.js";
import { cause } from "../response/status-errors.js";
import { isJsonObject, type JsonObject, stringsOf } from "../store/json-value.js";
import type { ApiObject } from "../store/stored-object.js";
import { type Causes, givenOneOf, isUnset, required, subdomain } from "./checks.js";
import { selectorCauses } from "./selectors.js";

const accessModes = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];

/** The ways in which a volume shows itself. */
export const volumeModes: readonly string[] = ["Block", "Filesystem"];

/** What is wrong with a PersistentVolumeClaim. */
export function claimCauses(claim: ApiObject): Causes {
  return claimSpecCauses(specOf(claim), "spec");
}

/** What is wrong with what a claim asks for. */
export function claimSpecCauses(spec: JsonObject, path: string): Causes {
  const modes = stringsOf(spec["accessModes"]);
  const { storage } = mapOf(mapOf(spec["resources"])["requests"]);
  const storageClass = spec["storageClassName"];
  const attributes = spec["volumeAttributesClassName"];
  return [
    ...(modes.length === 0
      ? [cause.required(`${path}.accessModes`, "at least 1 access mode is required")]
      : []),
    ...modesCauses(modes, `${path}.accessModes`),
    ...selectorCauses(spec["selector"], `${path}.selector`),
    ...amountCauses(storage, `${path}.resources[storage]`),
    ...(isUnset(storageClass) ? [] : subdomain(`${path}.storageClassName`, storageClass)),
    ...(isUnset(attributes) ? [] : subdomain(`${path}.volumeAttributesClassName`, attributes)),
    ...givenOneOf(`${path}.volumeMode`, spec["volumeMode"], volumeModes),
    // What a claim is filled from is copied to the newer of the two fields before anybody looks at it.
    ...["dataSource", "dataSourceRef"].flatMap((key) =>
      sourceCauses(spec["dataSource"] ?? spec[key], `${path}.${key}`),
    ),
  ];
}

const growths = [
  "ControllerResizeInProgress",
  "ControllerResizeInfeasible",
  "NodeResizeInProgress",
  "NodeResizeInfeasible",
  "NodeResizePending",
];

/** What is wrong with how far a claim says that it has grown. Refusals show what grows, not how. */
export function claimStatusCauses({ status }: ApiObject): Causes {
  const field = "status.allocatedResourceStatuses";
  return Object.entries(mapOf(mapOf(status)["allocatedResourceStatuses"])).flatMap(
    ([name, growth]) => [
      ...(name === "storage" || name.includes("/")
        ? []
        : [cause.notSupported(field, name, ["storage"])]),
      ...(growths.includes(String(growth)) ? [] : [cause.notSupported(field, name, growths)]),
    ],
  );
}

/** What is wrong with how a volume may be used. */
export function modesCauses(modes: readonly string[], field: string): Causes {
  return [
    ...modes.flatMap((mode) => givenOneOf(field, mode, accessModes)),
    ...(modes.includes("ReadWriteOncePod") && modes.length > 1
      ? [cause.forbidden(field, "may not use ReadWriteOncePod with other access modes")]
      : []),
  ];
}

/** An amount of storage, which is more than none. */
export function amountCauses(amount: unknown, field: string): Causes {
  const quantity = parseQuantity(amount);
  if (quantity === undefined) {
    return [cause.required(field)];
  }
  return quantity.nanos > 0n ? [] : [cause.invalid(field, amount, "must be greater than zero")];
}

function sourceCauses(source: unknown, field: string): Causes {
  if (!isJsonObject(source)) {
    return [];
  }
  const { apiGroup, kind, name } = source;
  const isOther = isUnset(apiGroup) && kind !== "PersistentVolumeClaim";
  return [
    ...required(`${field}.name`, name),
    ...required(`${field}.kind`, kind),
    ...(isUnset(apiGroup) ? [] : subdomain(`${field}.apiGroup`, apiGroup)),
    ...(isOther
      ? [
          cause.invalid(
            field,
            kind ?? "",
            "must be 'PersistentVolumeClaim' when referencing the default apiGroup",
          ),
        ]
      : []),
  ];
}
