import type { StatusCause } from "@typekube/core";
import { admitWrite, withNamespaceDefaults } from "../../admission/admit-write.js";
import { authorizeWrite } from "../../admission/authorize-write.js";
import { timestamp } from "../../context/server-context.js";
import {
  assertNotTerminating,
  customWarnings,
  validateCustomResource,
  withCustomDefaults,
  withStoredVersions,
} from "../../custom-resources/on-write.js";
import { alreadyExists, cause, failure, invalid, notFound } from "../../errors/status-errors.js";
import { asCertificateRequest } from "../../kinds/certificate-requests.js";
import { validateImmutableField } from "../../kinds/immutable-fields.js";
import { onCreate, onUpdate, refusals, withDefaults } from "../../kinds/on-write.js";
import { validatePodSpec } from "../../kinds/pod-spec-changes.js";
import {
  validateCreation,
  validateKind,
  validateStatus,
} from "../../kinds/validation/validate-kind.js";
import { idleKindWarnings } from "../../kinds/warnings/idle-kinds.js";
import { objectWarnings } from "../../kinds/warnings/object-warnings.js";
import { type ApiObject, normalized, type ObjectMetadata } from "../../objects/api-object.js";
import {
  getPath,
  type JsonObject,
  jsonEqual,
  omitKeys,
  stringsOf,
} from "../../objects/json-value.js";
import { nameSuffix, randomUid } from "../../objects/random.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { asVersion, forStorage } from "../../resources/versions/object-versions.js";
import { objectKey, withoutVersion } from "../../store/store.js";
import { updateManagers } from "../apply/managed-fields.js";
import { withoutDisabled } from "../validate/declared/disabled-fields.js";
import { withoutGated } from "../validate/declared/gated-fields.js";
import { validateDeclaredRules, withDeclared } from "../validate/declared/validate-declared.js";
import { validateMetadata, validateNewFinalizer } from "../validate/metadata.js";
import { mergeParts, validateDeletionFields, withGeneration } from "./merge-parts.js";
import { afterRemoval, assertNamespaceOpen } from "./namespaces.js";
import { assertPreconditions, assertSameName } from "./update-preconditions.js";
import type { Write, Written } from "./write.js";

/** Metadata of a new object that clients can't set. */
const setByServer = [
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "resourceVersion",
  "selfLink",
];

/** Stores a new object. */
export function createObject(write: Write, given: ApiObject): Written {
  const { server, request, options } = write;
  const { resource, namespace } = request;
  const { metadata } = given;
  const name = chooseName(write, metadata);
  assertNotTerminating(resource, name);
  if (namespace !== "") {
    assertNamespaceOpen(server, resource, namespace, name);
  }
  // Fill in the defaults of a custom resource before its status is removed. Defaults of the status are not stored:
  // readers see them, and the first update writes them.
  const whole = withCustomDefaults(resource, given);
  const begun: ApiObject = {
    ...(clearsStatus(resource) ? (omitKeys(whole, "status") as ApiObject) : whole),
    metadata: {
      ...omitKeys(metadata, ...setByServer, "generation"),
      name,
      uid: randomUid(server.random),
      creationTimestamp: timestamp(server.clock),
      ...newGeneration(resource, metadata),
      // A dry run returns the resourceVersion that was sent.
      ...(options.dryRun && given.metadata.resourceVersion !== undefined
        ? { resourceVersion: given.metadata.resourceVersion }
        : {}),
    },
  };
  const defaulted = typed(write, withDefaults(resource, begun, write.schema));
  const managed = manage(write, normalized(defaulted), undefined);
  const completed = withNamespaceDefaults(write, enabled(write, managed, undefined), undefined);
  const made = withStoredVersions(resource, onCreate(server, resource, completed));
  const object = made === managed ? made : normalized(made);
  const causes = [
    ...validateMetadata(object, resource),
    ...validateKind(resource, object),
    ...validateCreation(resource, object),
    ...validateCustomResource(server, resource, { object, subresource: "" }),
  ];
  assertValid(resource, object, withDeclared(causes, declared(write, object, undefined)));
  assertValid(resource, object, refusals(server, resource, managed, undefined));
  write.warnings.push(
    ...objectWarnings(resource, object, undefined),
    ...idleKindWarnings(resource, object),
    ...customWarnings(server, resource, object, undefined),
  );
  const count = admitWrite(write, object, undefined);
  if (!options.dryRun) {
    assertNoVersion(metadata);
  }
  const key = objectKey(namespace, name);
  const taken = server.store.collection(resource.storage).get(key);
  if (taken !== undefined) {
    const isGoing = taken.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(resource, name, isGoing, (metadata.generateName ?? "") !== "");
  }
  const stored = forStorage(object, resource);
  return {
    object: options.dryRun ? asVersion(stored, resource) : put(write, key, stored, count),
    created: true,
  };
}

/** Returns the generation of a new object: 1 for kinds that count it, otherwise the given one. */
function newGeneration({ rules }: ServedResource, { generation = 0 }: ObjectMetadata) {
  return rules.generation ? { generation: 1 } : generation === 0 ? {} : { generation };
}

/** Rejects a new object with a resourceVersion; values that are not numbers are ignored. (etcd3 `store.Create`) */
function assertNoVersion({ resourceVersion = "" }: ObjectMetadata): void {
  if (/^\d{1,20}$/.test(resourceVersion) && !/^0*$/.test(resourceVersion)) {
    throw failure(500, undefined, "resourceVersion should not be set on objects to be created");
  }
}

/**
 * Stores an object and returns it in the requested version. Converts first, so that a pending conversion aborts before
 * the write.
 */
function put(
  { server, request: { resource } }: Write,
  key: string,
  stored: ApiObject,
  count: () => void,
): ApiObject {
  asVersion(stored, resource);
  count();
  return asVersion(server.store.put(resource.storage, key, stored), resource);
}

function clearsStatus({ hasStatus, rules }: ServedResource): boolean {
  return hasStatus && !rules.statusOnCreate;
}

function chooseName(
  { server, request }: Write,
  { name = "", generateName = "" }: ObjectMetadata,
): string {
  const { resource, namespace } = request;
  if (name !== "") {
    return name;
  }
  if (generateName === "") {
    throw invalid(resource, "", [
      cause.required("metadata.name", "name or generateName is required"),
    ]);
  }
  const collection = server.store.collection(resource.storage);
  const attempts = Array.from(
    { length: 8 },
    () => `${generateName.slice(0, 58)}${nameSuffix(server.random)}`,
  );
  return (
    attempts.find((attempt) => collection.get(objectKey(namespace, attempt)) === undefined) ?? ""
  );
}

/** Replaces an object, or creates it where the kind allows that. */
export function updateObject(write: Write, given: ApiObject): Written {
  const { server, request } = write;
  const { resource, namespace, name } = request;
  assertSameName(given, name);
  const stored = server.store.collection(resource.storage).get(objectKey(namespace, name));
  if (stored === undefined) {
    if (resource.rules.createOnUpdate && request.subresource === "" && !write.patch) {
      return createObject(write, {
        ...given,
        metadata: omitKeys(given.metadata, "resourceVersion"),
      });
    }
    throw notFound(resource, name);
  }
  const before = asVersion(stored, resource);
  assertPreconditions(write, given.metadata, before.metadata);
  return { object: replaceObject(write, given, before, stored), created: false };
}

/** @param stored - the old object as stored, without the defaults and conversions that readers see. */
function replaceObject(
  write: Write,
  given: ApiObject,
  before: ApiObject,
  stored: ApiObject,
): ApiObject {
  const { server, request, options } = write;
  const { resource, namespace, name, subresource } = request;
  const merged = mergeParts(resource, given, before, subresource);
  const defaulted = typed(
    write,
    withDefaults(resource, withCustomDefaults(resource, merged), write.schema),
  );
  // Assign owners first: no manager owns the fields that the server adds.
  const managed = manage(write, normalized(defaulted), before);
  const completed = withNamespaceDefaults(write, enabled(write, managed, before), before);
  const hooked =
    subresource === ""
      ? withStoredVersions(resource, onUpdate(server, resource, completed, before))
      : completed;
  // A status write may change annotations, but never increases the generation.
  const prepared = subresource === "status" ? hooked : withGeneration(resource, hooked, before);
  const { deletionTimestamp } = before.metadata;
  const causes = [
    ...validateDeletionFields(given.metadata, before.metadata),
    ...validateMetadata(prepared, resource),
    ...(deletionTimestamp === undefined
      ? []
      : validateNewFinalizer(before.metadata.finalizers ?? [], prepared.metadata.finalizers ?? [])),
    ...(subresource === ""
      ? inOrder(resource, validateKind(resource, prepared, before), () =>
          validateImmutableField(resource, prepared, before),
        )
      : []),
    ...(subresource === "resize" ? validateKind(resource, prepared, before) : []),
    ...(subresource === "status" ? validateStatus(resource, prepared, before) : []),
    ...validateCustomResource(server, resource, { object: prepared, before, subresource }),
  ];
  if (resource.storage === "pods") {
    causes.push(...validatePodSpec(subresource, prepared, before, causes.length === 0));
  }
  assertValid(resource, prepared, withDeclared(causes, declared(write, prepared, before)));
  if (subresource === "") {
    assertValid(resource, prepared, refusals(server, resource, managed, before));
  }
  write.warnings.push(
    ...(subresource === "" ? objectWarnings(resource, prepared, before) : []),
    ...customWarnings(server, resource, prepared, before),
  );
  const count = admitWrite(write, prepared, before);
  const object = normalized(prepared);
  const key = objectKey(namespace, name);
  if (isFinished(resource, object)) {
    if (!options.dryRun) {
      server.store.remove(resource.storage, key);
      afterRemoval(server, namespace);
    }
    return object;
  }
  if (options.dryRun) {
    return object;
  }
  // A write that changes nothing except times in managedFields stores nothing: no new resourceVersion, no event.
  const next = forStorage(object, resource);
  return jsonEqual(comparable(next), comparable(stored)) ? before : put(write, key, next, count);
}

/** Orders causes: for ConfigMaps and Secrets, errors about immutability come first. */
function inOrder(
  { storage }: ServedResource,
  rules: readonly StatusCause[],
  changes: () => readonly StatusCause[],
): StatusCause[] {
  return storage === "configmaps" || storage === "secrets"
    ? [...changes(), ...rules]
    : [...rules, ...changes()];
}

function comparable(object: ApiObject): JsonObject {
  const { metadata, ...rest } = withoutVersion(object) as ApiObject;
  const managedFields = metadata.managedFields?.map((entry) => omitKeys(entry, "time"));
  return { ...rest, metadata: { ...metadata, managedFields } };
}

/** Returns whether an object that is being deleted can be removed now. */
export function isFinished(
  { storage }: Pick<ServedResource, "storage">,
  object: ApiObject,
): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata;
  const more = storage === "namespaces" ? stringsOf(getPath(object, "spec", "finalizers")) : [];
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds === 0 &&
    finalizers.length === 0 &&
    more.length === 0
  );
}

function typed({ form }: Write, object: ApiObject): ApiObject {
  return form === undefined ? object : form.of(object);
}

function manage(write: Write, object: ApiObject, before: ApiObject | undefined): ApiObject {
  authorizeWrite(write, object, before);
  return asCertificateRequest(write, managed(write, object, before), before);
}

function managed(write: Write, object: ApiObject, before: ApiObject | undefined): ApiObject {
  if (write.manage !== undefined) {
    return write.manage(object, before);
  }
  const { server, request, schema, form, options } = write;
  return updateManagers({
    empty: form?.empty,
    object,
    before,
    schema,
    resource: request.resource,
    manager: options.manager,
    subresource: request.subresource,
    time: timestamp(server.clock),
  });
}

function enabled(write: Write, object: ApiObject, before: ApiObject | undefined): ApiObject {
  const { server, schema, request } = write;
  return request.resource.rules.custom
    ? object
    : withoutGated(
        request.resource.groupResource,
        withoutDisabled(schema, object, before, server.gates),
        before,
        server.gates,
      );
}

function declared(write: Write, object: ApiObject, before: ApiObject | undefined): StatusCause[] {
  const { server, schema, request } = write;
  return request.resource.rules.custom
    ? []
    : validateDeclaredRules(schema, object, before, server.gates);
}

function assertValid(
  resource: ServedResource,
  object: ApiObject,
  causes: readonly StatusCause[],
): void {
  if (causes.length > 0) {
    // Errors name an Event by its kind in the core group.
    const { storage, kind } = resource;
    const named = storage === "events" ? { group: "", kind } : resource;
    throw invalid(named, object.metadata.name ?? "", causes);
  }
}
