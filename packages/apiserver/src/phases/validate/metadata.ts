import type { FieldErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { canonicalIpTexts } from "./addresses.js";
import { isUnset } from "./checks.js";
import { labelTexts, subdomainTexts } from "./name-texts.js";
import { dnsLabel, labels, notNegative, oneOf, qualifiedName, required } from "./old-checks.js";

const standardFinalizers = new Set(["foregroundDeletion", "kubernetes", "orphan"]);
const unqualified = "name is neither a standard finalizer name nor is it fully qualified";
const bothPolicies = "finalizer orphan and foregroundDeletion cannot be both set";
const maxAnnotationBytes = 256 * 1024;

/** Returns the field errors of an object's metadata, with the messages of the API. */
export function validateMetadata({ metadata }: ApiObject, { rules }: ServedResource): FieldErrors {
  return [
    ...validateGeneratedName(metadata, rules.names),
    ...nameTexts(metadata.name ?? "", rules.names).map((why) =>
      cause.invalid("metadata.name", metadata.name ?? "", why),
    ),
    ...labels("metadata.labels", metadata.labels),
    ...validateAnnotation(metadata.annotations),
    ...notNegative("metadata.generation", metadata.generation),
    ...validateOwner(metadata.ownerReferences),
    ...validateFinalizer(metadata.finalizers ?? [], rules.custom),
  ];
}

/**
 * Returns the field errors of an embedded resource's metadata. Its name may be missing, and may be any path segment.
 *
 * @param path - path of the metadata.
 */
export function validateEmbeddedMetadata(metadata: JsonObject, path: string): FieldErrors {
  const { name, generateName, namespace, finalizers } = metadata;
  const segments = [
    ["generateName", generateName, /[/%]/],
    ["name", name, /^\.{1,2}$|[/%]/],
  ] as const;
  return [
    ...segments.flatMap(([key, value, wrong]) =>
      typeof value === "string" && wrong.test(value)
        ? pathSegmentTexts(value).map((why) => cause.invalid(`${path}.${key}`, value, why))
        : [],
    ),
    ...(isUnset(namespace) ? [] : dnsLabel(`${path}.namespace`, namespace)),
    ...notNegative(`${path}.generation`, metadata["generation"]),
    ...labels(`${path}.labels`, metadata["labels"]),
    ...validateAnnotation(metadata["annotations"], `${path}.annotations`),
    ...validateOwner(metadata["ownerReferences"], `${path}.ownerReferences`),
    ...validateFinalizer(stringsOf(finalizers), true, `${path}.finalizers`),
    ...objectsOf(metadata["managedFields"]).flatMap((entry, at) =>
      validateManagedEntry(entry, `${path}.managedFields[${at}]`),
    ),
  ];
}

const operations = ["Apply", "Update"];

function validateManagedEntry({ operation, fieldsType }: JsonObject, field: string): FieldErrors {
  return [
    ...(isUnset(operation)
      ? [cause.required(`${field}.operation`, "must not be empty")]
      : oneOf(`${field}.operation`, operation, operations)),
    ...(isUnset(fieldsType) || fieldsType === "FieldsV1"
      ? []
      : [cause.invalid(`${field}.fieldsType`, fieldsType, "must be `FieldsV1`")]),
  ];
}

function validateFinalizer(
  finalizers: readonly string[],
  isCustom: boolean,
  field = "metadata.finalizers",
): FieldErrors {
  const both = ["orphan", "foregroundDeletion"].every((one) => finalizers.includes(one));
  return [
    ...finalizers.flatMap((finalizer) => qualifiedName(field, finalizer)),
    ...(both ? [cause.invalid(field, finalizers, bothPolicies)] : []),
    // Finalizers of custom resources may have any name; unqualified ones only cause a warning.
    ...finalizers.flatMap((finalizer, at) =>
      isCustom || isFinalizer(finalizer)
        ? []
        : [cause.invalid(`${field}[${at}]`, finalizer, unqualified)],
    ),
  ];
}

/**
 * Validates `generateName`. A trailing dash and the character before it are replaced by a letter, since the suffix
 * follows.
 */
function validateGeneratedName(
  { generateName = "" }: ObjectMetadata,
  rule: ServedResource["rules"]["names"],
): FieldErrors {
  const checked = /.-$/.test(generateName) ? `${generateName.slice(0, -2)}a` : generateName;
  return generateName === ""
    ? []
    : nameTexts(checked, rule).map((why) =>
        cause.invalid("metadata.generateName", generateName, why),
      );
}

function nameTexts(name: string, rule: ServedResource["rules"]["names"]): string[] {
  switch (rule) {
    case "address":
      return canonicalIpTexts(name);
    case "path":
      return pathSegmentTexts(name);
    case "label":
    case "service":
      return name.includes(".") ? ["must not contain dots"] : labelTexts(name);
    case "subdomain":
      return subdomainTexts(name);
    default:
      return rule satisfies never;
  }
}

/** Returns the problems of a name as a path segment. */
export function pathSegmentTexts(name: string): string[] {
  return name === "." || name === ".."
    ? [`may not be '${name}'`]
    : ["/", "%"].flatMap((sign) => (name.includes(sign) ? [`may not contain '${sign}'`] : []));
}

/** Returns true when all annotations together have at most 256 KiB. */
export function annotationsFit(annotations: JsonObject): boolean {
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key + String(value)),
    0,
  );
  return bytes <= maxAnnotationBytes;
}

/** Returns the field errors of annotations. */
export function validateAnnotation(
  annotations: unknown,
  field = "metadata.annotations",
): FieldErrors {
  if (!isJsonObject(annotations)) {
    return [];
  }
  const keys = Object.keys(annotations);
  const fits = annotationsFit(annotations);
  const tooLong = fits ? [] : [cause.tooLong(field, maxAnnotationBytes)];
  return [...keys.flatMap((key) => qualifiedName(field, key.toLowerCase(), key)), ...tooLong];
}

function validateOwner(references: unknown, path = "metadata.ownerReferences"): FieldErrors {
  const owners = objectsOf(references);
  const causes = owners.flatMap((owner, at) => {
    const field = `${path}[${at}]`;
    const missing = ["apiVersion", "kind", "name", "uid"].flatMap((key) =>
      required(`${field}.${key}`, owner[key]).length === 0
        ? []
        : [cause.required(`${field}.${key}`, "must not be empty")],
    );
    return owner["kind"] === "Event" && owner["apiVersion"] === "v1"
      ? [
          ...missing,
          cause.invalid(field, owner, "/v1, Kind=Event is disallowed from being an owner"),
        ]
      : missing;
  });
  const [first, second] = owners.filter(({ controller }) => controller === true);
  if (first === undefined || second === undefined) {
    return causes;
  }
  const named = [first, second].map(({ kind, name }) => `${String(kind)}/${String(name)}`);
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${named.join(" and ")}`;
  return [...causes, cause.invalid(path, references, why)];
}

function isFinalizer(finalizer: string): boolean {
  return standardFinalizers.has(finalizer) || finalizer.includes("/");
}

/** Returns errors for finalizers added to an object that is being deleted. */
export function validateNewFinalizer(
  before: readonly string[],
  now: readonly string[],
): FieldErrors {
  const added = now.filter((finalizer) => !before.includes(finalizer)).sort();
  if (added.length === 0) {
    return [];
  }
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  return [
    cause.forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

/** Checks a maximum name length below the general one. */
export function shorterName({ metadata }: ApiObject, most: number): FieldErrors {
  const { name = "" } = metadata;
  return !isUnset(name) && name.length > most
    ? [cause.invalid("metadata.name", name, `must be no more than ${most} characters`)]
    : [];
}

/** Returns errors for deletion fields that a client must not set. */
export function validateDeletionFields(given: ObjectMetadata, before: ObjectMetadata): FieldErrors {
  return (["deletionTimestamp", "deletionGracePeriodSeconds"] as const)
    .filter((key) => given[key] !== undefined && given[key] !== before[key])
    .map((key) => cause.invalid(`metadata.${key}`, given[key], "field is immutable"));
}
