import type { ResourceDescriptor } from "@typekube/api";
import { admissionChain } from "../../admission/admission-chain.js";
import { deleteAttributes } from "../../admission/delete-attributes.js";
import { admitRequest } from "../../admission/dynamic-plugins.js";
import type { Attempts } from "../../context/attempts.js";
import type { ServerContext } from "../../context/server-context.js";
import type { Admission, Write } from "../../context/write.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { User } from "../../objects/user.js";
import { applyObject } from "../../phases/apply/apply.js";
import { createObject } from "../../phases/write/create-object.js";
import { deleteObject } from "../../phases/write/delete-object.js";
import { updateObject } from "../../phases/write/update-object.js";
import type { DeleteOptions } from "../../request/delete-options.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { TypedForm } from "../../resources/typed-form.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { objectKey } from "../../store/store.js";
import { withPendingCalls } from "../../time/pending-call.js";
import { PendingWrites } from "./pending-writes.js";

/** Field manager of the controllers. */
export const controllerManager = "kube-controller-manager";

const user: User = { name: "system:kube-controller-manager", groups: ["system:masters"] };

/** Reads and writes of controllers, with the same validation and admission as client writes but without a request. */
export interface ObjectWriter {
  /** Loads schemas and types for these storages; await it before the first write there. */
  prepare(storages: Iterable<string>): Promise<void>;
  get(storage: string, namespace: string, name: string): ApiObject | undefined;
  /** Returns the objects of a namespace, sorted by name. */
  list(storage: string, namespace: string): ApiObject[];
  /** Returns the resource of a storage, in the given apiVersion if it is served. */
  resourceOf(storage: string, apiVersion?: string): ServedResource | undefined;
  create(storage: string, object: ApiObject): ApiObject;
  update(storage: string, object: ApiObject, subresource?: string): ApiObject;
  /** Applies a manifest with `force`, taking over conflicting fields. */
  apply(storage: string, manifest: ApiObject): ApiObject;
  /** Deletes an object; does nothing if it is already gone. */
  delete(storage: string, object: ApiObject, options?: Partial<DeleteOptions>): void;
  /** Deletes an object that may need conversion first. */
  deleteConverted(
    storage: string,
    object: ApiObject,
    options?: Partial<DeleteOptions>,
  ): Promise<void>;
}

/**
 * Creates the writer of one server.
 *
 * @param admission - admission of its writes. Default: that of client writes.
 */
export function createObjectWriter(
  server: ServerContext,
  manager: string,
  admission: Admission = admissionChain,
): ObjectWriter {
  const pending = new PendingWrites(server);
  const context: WriterContext = { server, manager, admission, pending, prepared: new Map() };
  const { store, registry } = server;
  return {
    prepare: (storages) => prepare(context, new Set(storages)),
    resourceOf: (storage, apiVersion) => resourceOf(registry, storage, apiVersion),
    get: (storage, namespace, name) => store.collection(storage).get(objectKey(namespace, name)),
    list: (storage, namespace) =>
      store
        .collection(storage)
        .entries(namespace === "" ? "" : `${namespace}/`)
        .map(([, object]) => object),
    create: (storage, object) =>
      pending.attempt(["create", storage, object], (attempts) => {
        const write = begin(context, attempts, { verb: "create", storage, object });
        return createObject(write, object).object;
      }),
    update: (storage, object, subresource) =>
      pending.attempt(["update", storage, object, subresource], (attempts) => {
        const write = begin(context, attempts, { verb: "update", storage, object, subresource });
        return updateObject(write, object).object;
      }),
    apply: (storage, manifest) =>
      pending.attempt(["apply", storage, manifest], (attempts) => {
        const write = begin(context, attempts, { verb: "update", storage, object: manifest });
        const options = { ...write.options, force: true };
        return applyObject({ ...write, options }, manifest).object;
      }),
    delete: (storage, object, options = {}) => remove(context, storage, object, options),
    deleteConverted: (storage, object, options = {}) =>
      withPendingCalls(() => remove(context, storage, object, options)),
  };
}

/** State of one writer. */
interface WriterContext {
  readonly server: ServerContext;
  readonly manager: string;
  readonly admission: Admission;
  readonly pending: PendingWrites;
  readonly prepared: Map<ResourceDescriptor, Prepared>;
}

/** Data loaded for a resource before its first write. */
interface Prepared {
  readonly schema: SchemaNode;
  readonly form: TypedForm | undefined;
}

async function prepare(
  { server, prepared }: WriterContext,
  storages: ReadonlySet<string>,
): Promise<void> {
  for (const resource of server.registry.resources) {
    if (storages.has(resource.storage) && !prepared.has(resource.descriptor)) {
      const [schema, form] = await Promise.all([server.schemas(resource), server.forms(resource)]);
      prepared.set(resource.descriptor, { schema, form });
    }
  }
}

function resourceOf(
  registry: ServerContext["registry"],
  storage: string,
  apiVersion: string | undefined,
): ServedResource | undefined {
  const served = registry.resources.filter((resource) => resource.storage === storage);
  return served.find((resource) => resource.descriptor.apiVersion === apiVersion) ?? served[0];
}

/** A write that a controller makes. */
interface ControllerWrite {
  readonly verb: "create" | "update";
  readonly storage: string;
  readonly object: ApiObject;
  readonly subresource?: string | undefined;
}

/** Returns the write of an object, for the phases that a client's write passes through. */
function begin(
  { server, manager, admission, prepared }: WriterContext,
  attempts: Attempts,
  { verb, storage, object, subresource = "" }: ControllerWrite,
): Write {
  const resource = resourceOf(server.registry, storage, object.apiVersion);
  const known = resource && prepared.get(resource.descriptor);
  if (resource === undefined || known === undefined) {
    throw new Error(`controllers cannot write ${storage}`);
  }
  const { name = "", namespace = "" } = object.metadata;
  return {
    ...attempts,
    request: { verb, resource, namespace, name, subresource, query: new URLSearchParams(), user },
    schema: known.schema,
    form: known.form,
    options: { dryRun: false, manager, fieldValidation: "Ignore", force: false },
    warnings: [],
    annotate: ignore,
    patch: false,
    admission,
  };
}

/** Drops audit annotations: the journal has no entries for writes of controllers. */
function ignore(): void {}

function remove(
  { server, pending }: WriterContext,
  storage: string,
  object: ApiObject,
  options: Partial<DeleteOptions>,
): void {
  const { name = "", namespace = "" } = object.metadata;
  const resource = resourceOf(server.registry, storage, object.apiVersion);
  const isStored = server.store.collection(storage).get(objectKey(namespace, name)) !== undefined;
  if (resource !== undefined && isStored) {
    const place = { resource, namespace, name };
    const whole = { ...plainDelete, ...options };
    pending.attempt(["delete", storage, object, options], (attempts) => {
      const scope = { ...attempts, warnings: [], annotate: ignore };
      deleteObject(server, place, whole, (old) => {
        const request = { resource, user };
        admitRequest(scope, deleteAttributes({ request, options: whole, old, isItem: false }));
      });
    });
  }
}

const plainDelete: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: undefined,
  uid: undefined,
  resourceVersion: undefined,
  ignoreReadErrors: false,
};
