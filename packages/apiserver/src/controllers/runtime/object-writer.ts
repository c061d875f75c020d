import type { ResourceDescriptor } from "@typekube/api";
import { admissionChain } from "../../admission/admission-chain.js";
import type { ServerContext } from "../../context/server-context.js";
import type { Write } from "../../context/write.js";
import type { ApiObject } from "../../objects/api-object.js";
import type { User } from "../../objects/user.js";
import { applyObject } from "../../phases/apply/apply.js";
import { createObject } from "../../phases/write/create-object.js";
import { deleteObject } from "../../phases/write/delete-object.js";
import { updateObject } from "../../phases/write/update-object.js";
import type { DeleteOptions } from "../../request/delete-options.js";
import type { ServedResource } from "../../resources/served-resource.js";
import type { TypedForm } from "../../resources/typed-form.js";
import { withConversions } from "../../resources/versions/pending-conversion.js";
import type { SchemaNode } from "../../schema/schema-node.js";
import { objectKey } from "../../store/store.js";

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

/** Creates the writer of one server. */
export function createObjectWriter(server: ServerContext, manager: string): ObjectWriter {
  const context: WriterContext = { server, manager, prepared: new Map() };
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
      createObject(begin(context, "create", storage, object), object).object,
    update: (storage, object, subresource) =>
      updateObject(begin(context, "update", storage, object, subresource), object).object,
    apply: (storage, manifest) => {
      const write = begin(context, "update", storage, manifest);
      return applyObject({ ...write, options: { ...write.options, force: true } }, manifest).object;
    },
    delete: (storage, object, options = {}) => remove(server, storage, object, options),
    deleteConverted: (storage, object, options = {}) =>
      withConversions(() => remove(server, storage, object, options)),
  };
}

/** State of one writer. */
interface WriterContext {
  readonly server: ServerContext;
  readonly manager: string;
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

/** Returns the write of an object, for the phases that a client's write passes through. */
function begin(
  { server, manager, prepared }: WriterContext,
  verb: "create" | "update",
  storage: string,
  object: ApiObject,
  subresource = "",
): Write {
  const resource = resourceOf(server.registry, storage, object.apiVersion);
  const known = resource && prepared.get(resource.descriptor);
  if (resource === undefined || known === undefined) {
    throw new Error(`controllers cannot write ${storage}`);
  }
  const { name = "", namespace = "" } = object.metadata;
  return {
    server,
    request: { verb, resource, namespace, name, subresource, query: new URLSearchParams(), user },
    schema: known.schema,
    form: known.form,
    options: { dryRun: false, manager, fieldValidation: "Ignore", force: false },
    warnings: [],
    patch: false,
    admission: admissionChain,
  };
}

function remove(
  server: ServerContext,
  storage: string,
  object: ApiObject,
  options: Partial<DeleteOptions>,
): void {
  const { name = "", namespace = "" } = object.metadata;
  const resource = resourceOf(server.registry, storage, object.apiVersion);
  const isStored = server.store.collection(storage).get(objectKey(namespace, name)) !== undefined;
  if (resource !== undefined && isStored) {
    deleteObject(server, { resource, namespace, name }, { ...plainDelete, ...options });
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
