import type { KubeList, KubeObject, Live, ResourceDescriptor } from "@typekube/api";
import { errorFromStatus, isNotFound, isStatus, KubeError, type Status } from "@typekube/core";
import { exchangeObject } from "./exchange.js";
import { UnknownFieldSignal } from "./negotiation.js";
import { applyBody, type Body, jsonBody, nameOf, withTypeMeta } from "./object-body.js";
import { assertOptions } from "./option-rules.js";
import type {
  ApplyOptions,
  CallOptions,
  ClientDefaults,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ItemsOptions,
  ListOptions,
  WatchOptions,
  WriteOptions,
} from "./options.js";
import { pageItems } from "./pager.js";
import type { Patch } from "./patch.js";
import { type Query, selectorQuery } from "./query.js";
import { resourcePath } from "./resource-path.js";
import { errorFromEvent, ResourceReader } from "./resource-reader.js";
import type { WatchEvent } from "./watch-event.js";

/** Who applies when nobody says. */
export const defaultFieldManager = "typekube";

/** Every verb on one resource. What a caller sees of it is cut to the verbs of the resource by the types. */
export class ResourceOperations extends ResourceReader {
  async get(name: string, options: GetOptions = {}): Promise<Live<KubeObject>> {
    const descriptor = await this.descriptor(options);
    const { memory, defaults } = this.context;
    const read = () =>
      this.send(descriptor, {
        method: "GET",
        name,
        query: { resourceVersion: options.resourceVersion },
        accept: memory.accept(descriptor, options.encoding ?? defaults.encoding ?? "auto", false),
        options,
      }) as Promise<Live<KubeObject>>;
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof UnknownFieldSignal)) {
        throw error;
      }
      memory.holdToJson(descriptor);
      return await read();
    }
  }

  async find(name: string, options: GetOptions = {}): Promise<Live<KubeObject> | undefined> {
    try {
      return await this.get(name, options);
    } catch (error) {
      // A path that is not served is another matter than an object that is not there: its Status names no object.
      if (isNotFound(error) && error.status?.details?.name !== undefined) {
        return undefined;
      }
      throw error;
    }
  }

  async list(options: ListOptions = {}): Promise<KubeList<Live<KubeObject>>> {
    const items: Live<KubeObject>[] = [];
    let head: Omit<KubeList<KubeObject>, "items"> | undefined;
    for await (const part of this.listParts(options)) {
      for (const item of part.items) {
        items.push(item as Live<KubeObject>);
      }
      head = {
        apiVersion: part.apiVersion ?? "",
        kind: part.kind ?? "",
        metadata: part.metadata ?? {},
      };
    }
    if (head === undefined) {
      throw new KubeError("Decode", "the server sent no list");
    }
    return { kind: head.kind, apiVersion: head.apiVersion, metadata: head.metadata, items };
  }

  items(options: ItemsOptions = {}): AsyncIterable<Live<KubeObject>> {
    return pageItems((page) => this.listParts(page), options) as AsyncIterable<Live<KubeObject>>;
  }

  async *watch(options: WatchOptions = {}): AsyncIterable<WatchEvent> {
    for await (const events of this.watchBatches(options)) {
      for (const event of events) {
        switch (event.type) {
          case "ADDED":
          case "BOOKMARK":
          case "DELETED":
          case "MODIFIED":
            yield event as WatchEvent;
            break;
          case "ERROR":
            throw errorFromEvent(event);
          default:
            // A type of a later server: skipping it keeps the watch alive (WAT3).
            this.#warn(options, `skipped a watch event of the unknown type "${event.type}"`);
        }
      }
    }
  }

  #warn(options: CallOptions, text: string): void {
    (options.onWarning ?? this.context.defaults.onWarning)?.(text);
  }

  async create(object: KubeObject, options: WriteOptions = {}): Promise<Live<KubeObject>> {
    const descriptor = await this.descriptor(options);
    const body = withTypeMeta(object, descriptor);
    return (await this.send(descriptor, {
      method: "POST",
      namespace: this.#namespaceFor(descriptor, object),
      query: this.#writeQuery(options),
      body: await jsonBody(body),
      options,
    })) as Live<KubeObject>;
  }

  async update(object: KubeObject, options: WriteOptions = {}): Promise<Live<KubeObject>> {
    const descriptor = await this.descriptor(options);
    const body = withTypeMeta(object, descriptor);
    return (await this.send(descriptor, {
      method: "PUT",
      name: nameOf(object, descriptor.kind),
      namespace: this.#namespaceFor(descriptor, object),
      query: this.#writeQuery(options),
      body: await jsonBody(body),
      options,
    })) as Live<KubeObject>;
  }

  async patch(name: string, patch: Patch, options: WriteOptions = {}): Promise<Live<KubeObject>> {
    const descriptor = await this.descriptor(options);
    return (await this.send(descriptor, {
      method: "PATCH",
      name,
      query: this.#writeQuery(options),
      body: await jsonBody(patch.body, patch.mediaType),
      options,
    })) as Live<KubeObject>;
  }

  async apply(object: KubeObject, options: ApplyOptions = {}): Promise<Live<KubeObject>> {
    const descriptor = await this.descriptor(options);
    const body = withTypeMeta(object, descriptor);
    return (await this.#apply(
      descriptor,
      nameOf(object, descriptor.kind),
      undefined,
      body,
      options,
      this.#namespaceFor(descriptor, object),
    )) as Live<KubeObject>;
  }

  async delete(name: string, options: DeleteOptions = {}): Promise<Live<KubeObject> | Status> {
    const descriptor = await this.descriptor(options);
    return (await this.send(descriptor, {
      method: "DELETE",
      name,
      query: {},
      body: await deleteBody(options, this.context.defaults),
      options,
    })) as Live<KubeObject> | Status;
  }

  async deleteCollection(
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList<Live<KubeObject>> | Status> {
    assertOptions("list", options);
    const descriptor = await this.descriptor(options);
    return (await this.send(descriptor, {
      method: "DELETE",
      query: {
        ...selectorQuery(options),
        limit: options.limit,
        continue: options.continue,
        resourceVersion: options.resourceVersion,
        resourceVersionMatch: options.resourceVersionMatch,
        timeoutSeconds: options.timeoutSeconds,
      },
      body: await deleteBody(options, this.context.defaults),
      options,
    })) as KubeList<Live<KubeObject>> | Status;
  }

  /** The verbs of one subresource; their bodies have a kind of their own. */
  subresource(name: string): SubresourceOperations {
    const send = async (
      method: "GET" | "PATCH" | "POST" | "PUT",
      object: string,
      options: WriteOptions & GetOptions,
      body?: Body,
    ) =>
      this.send(await this.descriptor(options), {
        method,
        name: object,
        subresource: name,
        query:
          method === "GET"
            ? { resourceVersion: options.resourceVersion }
            : this.#writeQuery(options),
        body,
        options,
      });
    const typed = async (body: KubeObject, options: CallOptions): Promise<KubeObject> => {
      const descriptor = await this.descriptor(options);
      return withTypeMeta(body, descriptor.subresources[name] ?? descriptor);
    };
    return {
      get: (object, options = {}) => send("GET", object, options),
      create: async (object, body, options = {}) =>
        send("POST", object, options, await jsonBody(await typed(body as KubeObject, options))),
      update: async (object, body, options = {}) =>
        send("PUT", object, options, await jsonBody(await typed(body as KubeObject, options))),
      patch: async (object, patch, options = {}) =>
        send("PATCH", object, options, await jsonBody(patch.body, patch.mediaType)),
      apply: async (object, body, options = {}) =>
        this.#apply(
          await this.descriptor(options),
          object,
          name,
          await typed(body as KubeObject, options),
          options,
        ),
    };
  }

  async #apply(
    descriptor: ResourceDescriptor,
    name: string,
    subresource: string | undefined,
    body: KubeObject,
    options: ApplyOptions,
    namespace: string | undefined = this.namespace,
  ): Promise<unknown> {
    if (body.metadata?.managedFields !== undefined) {
      throw new KubeError(
        "InvalidArgument",
        "an applied object must not have metadata.managedFields",
        {
          hint: "apply only the fields that you want to own",
        },
      );
    }
    const fieldManager =
      options.fieldManager ?? this.context.defaults.fieldManager ?? defaultFieldManager;
    return this.send(descriptor, {
      method: "PATCH",
      name,
      namespace,
      subresource,
      query: { ...this.#writeQuery({ ...options, fieldManager }), force: options.force },
      body: await applyBody(body),
      options,
    });
  }

  #writeQuery(options: WriteOptions): Query {
    const { defaults } = this.context;
    const query = {
      dryRun: options.dryRun ?? defaults.dryRun,
      fieldManager: options.fieldManager ?? defaults.fieldManager,
      fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
    };
    assertOptions("write", query);
    return query;
  }

  /** Where an object goes: to this client's namespace, or its own for a client of all namespaces. */
  #namespaceFor(descriptor: ResourceDescriptor, object: KubeObject): string | undefined {
    const own = object.metadata?.namespace;
    if (descriptor.scope === "Cluster") {
      return undefined;
    }
    const namespace = this.namespace ?? own;
    if (namespace === undefined) {
      throw new KubeError("InvalidArgument", `the ${descriptor.kind} has no namespace`, {
        hint: "give client.resource a namespace or set metadata.namespace",
      });
    }
    if (own !== undefined && own !== namespace) {
      throw new KubeError(
        "InvalidArgument",
        `the ${descriptor.kind}'s namespace is "${own}" but this client is for "${namespace}"`,
      );
    }
    return namespace;
  }

  /** Sends one call on an object or the collection and decodes the answer. */
  async send(
    descriptor: ResourceDescriptor,
    call: {
      readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
      readonly name?: string | undefined;
      readonly namespace?: string | undefined;
      readonly subresource?: string | undefined;
      readonly query: Query;
      readonly accept?: string | undefined;
      readonly body?: Body | undefined;
      readonly options: CallOptions;
    },
  ): Promise<unknown> {
    const { name, subresource, namespace = this.namespace } = call;
    if ("name" in call && typeof name !== "string") {
      // Without its name the path would be the collection's, and a delete would take everything.
      throw new KubeError("InvalidArgument", `the name of the ${descriptor.kind} is missing`);
    }
    if (descriptor.scope === "Namespaced" && namespace === undefined && name !== undefined) {
      throw new KubeError(
        "InvalidArgument",
        `${descriptor.kind} "${name}" needs a namespace: this client is for all of them`,
        { hint: `use client.resource(${descriptor.kind}, namespace)` },
      );
    }
    return exchangeObject(this.context, {
      ...call,
      path: resourcePath(descriptor, { namespace, name, subresource }),
    });
  }
}

/** The verbs of a subresource before the types cut them to what the descriptor has. */
export interface SubresourceOperations {
  get(name: string, options?: GetOptions): Promise<unknown>;
  create(name: string, body: unknown, options?: WriteOptions): Promise<unknown>;
  update(name: string, body: unknown, options?: WriteOptions): Promise<unknown>;
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<unknown>;
  apply(name: string, body: unknown, options?: ApplyOptions): Promise<unknown>;
}

/** Delete options go as a body of their own kind, always as JSON: custom resources read no other. */
async function deleteBody(options: DeleteOptions, defaults: ClientDefaults): Promise<Body> {
  const {
    dryRun = defaults.dryRun,
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
  } = options;
  assertOptions("write", { gracePeriodSeconds });
  return jsonBody({
    apiVersion: "v1",
    kind: "DeleteOptions",
    dryRun: dryRun === undefined ? undefined : [dryRun],
    gracePeriodSeconds,
    propagationPolicy,
    preconditions,
  });
}

/** Whether a delete's answer says that the object is gone; otherwise it is the object that is still there. */
export function isDeleted(answer: KubeObject | Status): answer is Status {
  if (isStatus(answer) && answer.status === "Failure") {
    throw errorFromStatus(answer);
  }
  return isStatus(answer);
}
