import { strategyWrite, type Write, type Written } from "../../context/write.js";
import { alreadyExists, failure } from "../../errors/status-errors.js";
import { type ApiObject, normalized, type ObjectMetadata } from "../../objects/api-object.js";
import { omitKeys } from "../../objects/json-value.js";
import { randomUid } from "../../objects/random.js";
import { timestamp } from "../../objects/timestamp.js";
import type { ServedResource } from "../../resources/served-resource.js";
import { asVersion, forStorage } from "../../resources/versions/object-versions.js";
import { objectKey } from "../../store/store.js";
import { assertGrantable, assertValidNew } from "../validate/validate-object.js";
import { chooseName } from "./choose-name.js";
import { completeObject } from "./complete-object.js";
import { idleWarnings } from "./idle-warnings.js";
import { assertNamespaceOpen } from "./namespaces.js";
import { storeObject } from "./store-object.js";

/** Stores a new object. */
export function createObject(write: Write, given: ApiObject): Written {
  const { server, request, options } = write;
  const { resource, namespace } = request;
  const { strategy } = resource;
  const { metadata } = given;
  const name = chooseName(write, metadata);
  strategy.assertCreatable?.(name);
  if (namespace !== "") {
    assertNamespaceOpen(server, resource, namespace, name);
  }
  const isNameGenerated = (metadata.name ?? "") === "";
  const started = begun(write, given, name);
  const { managed, admitted } = completeObject(
    { ...write, isNameGenerated, sent: given },
    started,
    undefined,
  );
  const made = strategy.prepareCreate?.(admitted, strategyWrite(write)) ?? admitted;
  const object = made === managed ? made : normalized(made);
  assertValidNew(write, object);
  assertGrantable(write, managed, undefined);
  write.warnings.push(
    ...(strategy.warnings?.(object, undefined) ?? []),
    ...idleWarnings(resource, object),
    ...(strategy.writeWarnings?.(object, undefined, server) ?? []),
  );
  const charge = write.admission.validate(write, object, undefined);
  if (!options.dryRun) {
    assertNoVersion(metadata);
    assertNoVersion(object.metadata);
  }
  // Mutating admission may have named the object.
  const key = objectKey(namespace, object.metadata.name ?? name);
  const taken = server.store.collection(resource.storage).get(key);
  if (taken !== undefined) {
    const isGoing = taken.metadata.deletionTimestamp !== undefined;
    throw alreadyExists(
      resource,
      object.metadata.name ?? name,
      isGoing,
      (metadata.generateName ?? "") !== "",
    );
  }
  const stored = forStorage(object, resource);
  return {
    object: options.dryRun ? asVersion(stored, resource) : storeObject(write, key, stored, charge),
    created: true,
  };
}

/** Metadata of a new object that clients can't set. */
const setByServer = [
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "resourceVersion",
  "selfLink",
];

/** Returns a new object with the metadata that the server sets. */
function begun({ server, request, options }: Write, given: ApiObject, name: string): ApiObject {
  const { resource } = request;
  const { strategy } = resource;
  const { metadata } = given;
  // Fill in the defaults of a custom resource before its status is removed. Defaults of the status are not stored:
  // readers see them, and the first update writes them.
  const whole = strategy.schemaDefaults?.(given) ?? given;
  return {
    ...withoutStatus(whole, resource),
    metadata: {
      ...omitKeys(metadata, ...setByServer, "generation"),
      name,
      uid: randomUid(server.random),
      creationTimestamp: timestamp(server.clock),
      ...newGeneration(resource, metadata),
      // A dry run returns the resourceVersion that was sent.
      ...(options.dryRun && metadata.resourceVersion !== undefined
        ? { resourceVersion: metadata.resourceVersion }
        : {}),
    },
  };
}

/** Returns a new object without the status that its writer may not set. */
export function withoutStatus(object: ApiObject, { hasStatus, rules }: ServedResource): ApiObject {
  return hasStatus && !rules.statusOnCreate && object["status"] !== undefined
    ? (omitKeys(object, "status") as ApiObject)
    : object;
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
