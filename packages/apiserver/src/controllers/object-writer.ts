import type { ResourceDescriptor } from "@typekube/api";
import type { User } from "../access/user.js";
import { applyObject } from "../apply/apply.js";
import { withConversions } from "../custom-resources/pending-conversion.js";
import type { DeleteOptions } from "../request/delete-options.js";
import type { ServedResource } from "../resources/served-resource.js";
import type { SchemaNode } from "../schema/schema-node.js";
import type { TypedForm } from "../schema/typed-form.js";
import type { ServerContext } from "../server-context.js";
import { objectKey } from "../store/store.js";
import type { ApiObject } from "../store/stored-object.js";
import { deleteObject } from "../write/delete-object.js";
import type { Write } from "../write/write.js";
import { createObject, updateObject } from "../write/write-object.js";

/** The name under which controllers own fields. */
export const controllerManager = "kube-controller-manager";

const user: User = { name: "system:kube-controller-manager", groups: ["system:masters"] };

/** How controllers read and write: by the rules that users' writes have, without a request. */
export interface ObjectWriter {
  /** Loads what is needed to write objects of these places; to be awaited before the first write there. */
  prepare(storages: Iterable<string>): Promise<void>;
  get(storage: string, namespace: string, name: string): ApiObject | undefined;
  /** The objects of a namespace in the order of their names. */
  list(storage: string, namespace: string): ApiObject[];
  /** The resource whose objects are kept somewhere, in a version where there are several. */
  resourceOf(storage: string, apiVersion?: string): ServedResource | undefined;
  create(storage: string, object: ApiObject): ApiObject;
  update(storage: string, object: ApiObject, subresource?: string): ApiObject;
  /** Applies a manifest, as its owner even against others. */
  apply(storage: string, manifest: ApiObject): ApiObject;
  /** Deletes an object; one that is gone already is no mistake. */
  delete(storage: string, object: ApiObject, options?: Partial<DeleteOptions>): void;
  /** The same for an object that may have to be converted. */
  deleteConverted(
    storage: string,
    object: ApiObject,
    options?: Partial<DeleteOptions>,
  ): Promise<void>;
}

/** Makes the writer of one server. */
export function createObjectWriter(server: ServerContext, manager: string): ObjectWriter {
  const { store, registry } = server;
  const prepared = new Map<ResourceDescriptor, Prepared>();
  const resourceOf = (storage: string, apiVersion?: string) => {
    const served = registry.resources.filter((resource) => resource.storage === storage);
    return served.find((resource) => resource.descriptor.apiVersion === apiVersion) ?? served[0];
  };
  const begin = (
    verb: "create" | "update",
    storage: string,
    object: ApiObject,
    subresource: string,
  ): Write => {
    const resource = resourceOf(storage, object.apiVersion);
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
    };
  };
  const removal = (storage: string, object: ApiObject, options: Partial<DeleteOptions>) => {
    const { name = "", namespace = "" } = object.metadata;
    const resource = resourceOf(storage, object.apiVersion);
    if (
      resource === undefined ||
      store.collection(storage).get(objectKey(namespace, name)) === undefined
    ) {
      return;
    }
    deleteObject(server, { resource, namespace, name }, { ...plainDelete, ...options });
  };
  return {
    async prepare(storages) {
      const wanted = new Set(storages);
      for (const resource of registry.resources) {
        if (wanted.has(resource.storage) && !prepared.has(resource.descriptor)) {
          const [schema, form] = await Promise.all([
            server.schemas(resource),
            server.forms(resource),
          ]);
          prepared.set(resource.descriptor, { schema, form });
        }
      }
    },
    resourceOf,
    get: (storage, namespace, name) => store.collection(storage).get(objectKey(namespace, name)),
    list: (storage, namespace) =>
      store
        .collection(storage)
        .entries(namespace === "" ? "" : `${namespace}/`)
        .map(([, object]) => object),
    create: (storage, object) => createObject(begin("create", storage, object, ""), object).object,
    update: (storage, object, subresource = "") =>
      updateObject(begin("update", storage, object, subresource), object).object,
    apply: (storage, manifest) => {
      const write = begin("update", storage, manifest, "");
      return applyObject({ ...write, options: { ...write.options, force: true } }, manifest).object;
    },
    delete: (storage, object, options = {}) => removal(storage, object, options),
    deleteConverted: (storage, object, options = {}) =>
      withConversions(() => removal(storage, object, options)),
  };
}

/** What is loaded of a resource before its first write. */
interface Prepared {
  readonly schema: SchemaNode;
  readonly form: TypedForm | undefined;
}

const plainDelete: DeleteOptions = {
  dryRun: false,
  gracePeriodSeconds: undefined,
  propagationPolicy: undefined,
  uid: undefined,
  resourceVersion: undefined,
  ignoreReadErrors: false,
};
