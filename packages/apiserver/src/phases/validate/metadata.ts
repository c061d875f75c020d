import { cause, type FieldErrors } from "../../errors/field-errors.js";
import type { ApiObject, ObjectMetadata } from "../../objects/api-object.js";
import { isJsonObject, type JsonObject, stringsOf } from "../../objects/json-value.js";
import { objectsOf } from "../../objects/parts.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { canonicalIpTexts } from "./addresses.js";
import {
  appendInvalid,
  isUnset,
  validateDnsLabel,
  validateItems,
  validateLabels,
  validateNotNegative,
  validateOneOf,
  validateOptional,
  validatePathSegment,
  validateQualifiedName,
} from "./checks.js";
import { labelTexts, pathSegmentTexts, qualifiedNameTexts, subdomainTexts } from "./name-texts.js";

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
  const { name = "" } = metadata;
  validateGeneratedName(metadata, rules.names, errors);
  appendInvalid(nameTexts(name, rules.names), name, "metadata.name", errors);
  validateLabels(metadata.labels, "metadata.labels", errors);
  validateAnnotations(metadata.annotations, "metadata.annotations", errors);
  validateNotNegative(metadata.generation, "metadata.generation", errors);
  validateOwners(metadata.ownerReferences, "metadata.ownerReferences", errors);
  validateFinalizers(metadata.finalizers ?? [], rules.custom, "metadata.finalizers", errors);
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
      validatePathSegment(value, `${path}.${key}`, errors);
    }
  }
  validateOptional(namespace, validateDnsLabel, `${path}.namespace`, errors);
  validateNotNegative(metadata["generation"], `${path}.generation`, errors);
  validateLabels(metadata["labels"], `${path}.labels`, errors);
  validateAnnotations(metadata["annotations"], `${path}.annotations`, errors);
  validateOwners(metadata["ownerReferences"], `${path}.ownerReferences`, errors);
  validateFinalizers(stringsOf(finalizers), true, `${path}.finalizers`, errors);
  validateItems(
    objectsOf(metadata["managedFields"]),
    validateManagedEntry,
    `${path}.managedFields`,
    errors,
  );
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

function validateFinalizers(
  finalizers: readonly string[],
  isCustom: boolean,
  path: string,
  errors: FieldErrors,
): void {
  for (const finalizer of finalizers) {
    validateQualifiedName(finalizer, path, errors);
  }
  if (["orphan", "foregroundDeletion"].every((one) => finalizers.includes(one))) {
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
    appendInvalid(nameTexts(checked, rule), generateName, "metadata.generateName", errors);
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

/** Returns true when all annotations together have at most 256 KiB. */
export function annotationsFit(annotations: JsonObject): boolean {
  const bytes = Object.entries(annotations).reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key + String(value)),
    0,
  );
  return bytes <= maxAnnotationBytes;
}

/** Appends the field errors of annotations. */
export function validateAnnotations(annotations: unknown, path: string, errors: FieldErrors): void {
  if (!isJsonObject(annotations)) {
    return;
  }
  for (const key of Object.keys(annotations)) {
    appendInvalid(qualifiedNameTexts(key.toLowerCase()), key, path, errors);
  }
  if (!annotationsFit(annotations)) {
    errors.push(cause.tooLong(path, maxAnnotationBytes));
  }
}

function validateOwners(references: unknown, path: string, errors: FieldErrors): void {
  const owners = objectsOf(references);
  validateItems(owners, validateOwner, path, errors);
  const controllers = owners.filter(({ controller }) => controller === true).slice(0, 2);
  if (controllers.length === 2) {
    const named = controllers.map(({ kind, name }) => `${String(kind)}/${String(name)}`);
    const why = `Only one reference can have Controller set to true. Found "true" in references for ${named.join(" and ")}`;
    errors.push(cause.invalid(path, references, why));
  }
}

function validateOwner(owner: JsonObject, path: string, errors: FieldErrors): void {
  for (const key of ["apiVersion", "kind", "name", "uid"]) {
    if (isUnset(owner[key])) {
      errors.push(cause.required(`${path}.${key}`, "must not be empty"));
    }
  }
  if (owner["kind"] === "Event" && owner["apiVersion"] === "v1") {
    errors.push(cause.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
  }
}

function isFinalizer(finalizer: string): boolean {
  return standardFinalizers.has(finalizer) || finalizer.includes("/");
}

/** Appends an error for finalizers added to an object that is being deleted. */
export function validateNewFinalizers(
  old: readonly string[],
  now: readonly string[],
  errors: FieldErrors,
): void {
  const added = now.filter((finalizer) => !old.includes(finalizer)).sort();
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

/** Appends errors for deletion fields that a client must not set. */
export function validateDeletionFields(
  given: ObjectMetadata,
  old: ObjectMetadata,
  errors: FieldErrors,
): void {
  for (const key of (["deletionTimestamp", "deletionGracePeriodSeconds"] as const).filter(
    (key) => given[key] !== undefined && given[key] !== old[key],
  )) {
    errors.push(cause.invalid(`metadata.${key}`, given[key], "field is immutable"));
  }
}
