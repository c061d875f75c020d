import type { FieldErrors } from "../../errors/field-errors.js";
import { collectErrors } from "../../errors/field-errors.js";
import { cause } from "../../errors/status-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { canonicalIpTexts } from "./addresses.js";
import {
  isUnset,
  validateDnsLabel,
  validateLabels,
  validateNotNegative,
  validateOneOf,
  validateQualifiedName,
  validateRequired,
} from "./checks.js";
import { labelTexts, subdomainTexts } from "./name-texts.js";

const standardFinalizers = new Set(["foregroundDeletion", "kubernetes", "orphan"]);
const unqualified = "name is neither a standard finalizer name nor is it fully qualified";
const bothPolicies = "finalizer orphan and foregroundDeletion cannot be both set";
const maxAnnotationBytes = 256 * 1024;

/** Appends the field errors of an object's metadata, with the messages of the API. */
export function validateMetadata(
  { metadata }: ApiObject,
  { rules }: ServedResource,
  errors: FieldErrors,
): void {
  validateGeneratedName(metadata, rules.names, errors);
  for (const why of nameTexts(metadata.name ?? "", rules.names)) {
    errors.push(cause.invalid("metadata.name", metadata.name ?? "", why));
  }
  validateLabels(metadata.labels, "metadata.labels", errors);
  validateAnnotation(metadata.annotations, errors);
  validateNotNegative(metadata.generation, "metadata.generation", errors);
  validateOwner(metadata.ownerReferences, errors);
  validateFinalizer(metadata.finalizers ?? [], rules.custom, errors);
}

/**
 * Appends the field errors of an embedded resource's metadata. Its name may be missing, and may be any path segment.
 *
 * @param path - path of the metadata.
 */
export function validateEmbeddedMetadata(
  metadata: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  const { name, generateName, namespace, finalizers } = metadata;
  const segments = [
    ["generateName", generateName, /[/%]/],
    ["name", name, /^\.{1,2}$|[/%]/],
  ] as const;
  for (const [key, value, wrong] of segments) {
    if (typeof value === "string" && wrong.test(value)) {
      for (const why of pathSegmentTexts(value)) {
        errors.push(cause.invalid(`${path}.${key}`, value, why));
      }
    }
  }
  if (!isUnset(namespace)) {
    validateDnsLabel(namespace, `${path}.namespace`, errors);
  }
  validateNotNegative(metadata["generation"], `${path}.generation`, errors);
  validateLabels(metadata["labels"], `${path}.labels`, errors);
  validateAnnotation(metadata["annotations"], errors, `${path}.annotations`);
  validateOwner(metadata["ownerReferences"], errors, `${path}.ownerReferences`);
  validateFinalizer(stringsOf(finalizers), true, errors, `${path}.finalizers`);
  for (const [at, entry] of objectsOf(metadata["managedFields"]).entries()) {
    validateManagedEntry(entry, `${path}.managedFields[${at}]`, errors);
  }
}

const operations = ["Apply", "Update"];

function validateManagedEntry(
  { operation, fieldsType }: JsonObject,
  path: string,
  errors: FieldErrors,
): void {
  if (isUnset(operation)) {
    errors.push(cause.required(`${path}.operation`, "must not be empty"));
  } else {
    validateOneOf(operation, operations, `${path}.operation`, errors);
  }
  if (!isUnset(fieldsType) && fieldsType !== "FieldsV1") {
    errors.push(cause.invalid(`${path}.fieldsType`, fieldsType, "must be `FieldsV1`"));
  }
}

function validateFinalizer(
  finalizers: readonly string[],
  isCustom: boolean,
  errors: FieldErrors,
  path = "metadata.finalizers",
): void {
  const both = ["orphan", "foregroundDeletion"].every((one) => finalizers.includes(one));
  for (const finalizer of finalizers) {
    validateQualifiedName(finalizer, path, errors);
  }
  if (both) {
    errors.push(cause.invalid(path, finalizers, bothPolicies));
  }
  for (const [at, finalizer] of finalizers.entries()) {
    if (!isCustom && !isFinalizer(finalizer)) {
      errors.push(cause.invalid(`${path}[${at}]`, finalizer, unqualified));
    }
  }
}

/**
 * Validates `generateName`. A trailing dash and the character before it are replaced by a letter, since the suffix
 * follows.
 */
function validateGeneratedName(
  { generateName = "" }: ObjectMetadata,
  rule: ServedResource["rules"]["names"],
  errors: FieldErrors,
): void {
  const checked = /.-$/.test(generateName) ? `${generateName.slice(0, -2)}a` : generateName;
  if (generateName !== "") {
    for (const why of nameTexts(checked, rule)) {
      errors.push(cause.invalid("metadata.generateName", generateName, why));
    }
  }
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

/** Appends the field errors of annotations. */
export function validateAnnotation(
  annotations: unknown,
  errors: FieldErrors,
  path = "metadata.annotations",
): void {
  if (!isJsonObject(annotations)) {
    return;
  }
  const keys = Object.keys(annotations);
  const fits = annotationsFit(annotations);
  const tooLong: FieldErrors = [];
  if (!fits) {
    tooLong.push(cause.tooLong(path, maxAnnotationBytes));
  }
  for (const key of keys) {
    validateQualifiedName(key.toLowerCase(), path, errors, key);
  }
  errors.push(...tooLong);
}

function validateOwner(
  references: unknown,
  errors: FieldErrors,
  path = "metadata.ownerReferences",
): void {
  const owners = objectsOf(references);
  const causes = owners.flatMap((owner, at) => {
    const field = `${path}[${at}]`;
    const missing = ["apiVersion", "kind", "name", "uid"].flatMap((key) =>
      collectErrors((found) => validateRequired(owner[key], `${field}.${key}`, found)).length === 0
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
    errors.push(...causes);
    return;
  }
  const named = [first, second].map(({ kind, name }) => `${String(kind)}/${String(name)}`);
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${named.join(" and ")}`;
  errors.push(...causes);
  errors.push(cause.invalid(path, references, why));
}

function isFinalizer(finalizer: string): boolean {
  return standardFinalizers.has(finalizer) || finalizer.includes("/");
}

/** Appends errors for finalizers added to an object that is being deleted. */
export function validateNewFinalizer(
  before: readonly string[],
  now: readonly string[],
  errors: FieldErrors,
): void {
  const added = now.filter((finalizer) => !before.includes(finalizer)).sort();
  if (added.length === 0) {
    return;
  }
  const list = added.map((finalizer) => JSON.stringify(finalizer)).join(", ");
  errors.push(
    cause.forbidden(
      "metadata.finalizers",
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  );
}

/** Checks a maximum name length below the general one. */
export function validateShorterName(
  { metadata }: ApiObject,
  most: number,
  errors: FieldErrors,
): void {
  const { name = "" } = metadata;
  if (!isUnset(name) && name.length > most) {
    errors.push(cause.invalid("metadata.name", name, `must be no more than ${most} characters`));
  }
}

/** Appends errors for deletion fields that a client must not set. */
export function validateDeletionFields(
  given: ObjectMetadata,
  before: ObjectMetadata,
  errors: FieldErrors,
): void {
  for (const key of (["deletionTimestamp", "deletionGracePeriodSeconds"] as const).filter(
    (key) => given[key] !== undefined && given[key] !== before[key],
  )) {
    errors.push(cause.invalid(`metadata.${key}`, given[key], "field is immutable"));
  }
}
