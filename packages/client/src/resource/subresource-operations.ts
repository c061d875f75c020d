import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { type BodyWriter, jsonBody, objectBody } from "../negotiation/request-body.js";
import { versionOfGet } from "../options/consistency.js";
import type { GetOptions } from "../options/get-options.js";
import type { ApplyOptions, ModifyOptions, WriteOptions } from "../options/write-options.js";
import type { Patch } from "../patch/patch.js";
import { assertTakesPatch } from "../patch/strategic-kinds.js";
import { assertUnprojected, assertWhole } from "../write/assert-whole.js";
import { defaultModifyTries, modifyObject, type ObjectChange } from "../write/modify.js";
import { withTypeMeta } from "../write/object-body.js";
import type { ObjectCalls } from "./object-calls.js";

/** All verbs of a subresource. The types restrict callers to those of the descriptor. */
export interface SubresourceOperations {
  get(name: string, options?: GetOptions): Promise<unknown>;
  create(name: string, body: unknown, options?: WriteOptions): Promise<unknown>;
  update(name: string, body: unknown, options?: WriteOptions): Promise<unknown>;
  modify(
    name: string,
    change: ObjectChange<never, object>,
    options?: ModifyOptions,
  ): Promise<unknown>;
  patch(name: string, patch: Patch, options?: WriteOptions): Promise<unknown>;
  apply(name: string, body: unknown, options?: ApplyOptions): Promise<unknown>;
}

/** Returns the verbs of one subresource, whose bodies have their own kind. */
export function subresourceOperations(calls: ObjectCalls, name: string): SubresourceOperations {
  const send = (
    method: "GET" | "PATCH" | "POST" | "PUT",
    object: string,
    options: WriteOptions & GetOptions,
    bodyFor?: (descriptor: ResourceDescriptor) => BodyWriter | Promise<BodyWriter>,
  ) =>
    calls.described(options, async (descriptor) =>
      calls.send(descriptor, {
        method,
        name: object,
        subresource: name,
        query:
          method === "GET" ? { resourceVersion: versionOfGet(options) } : calls.writeQuery(options),
        body: await bodyFor?.(descriptor),
        options,
      }),
    );
  const typed = (body: KubeObject, descriptor: ResourceDescriptor): KubeObject => {
    const type = descriptor.subresources[name] ?? descriptor;
    // Only a body that is the object itself, as of `status`, can lose fields of the object.
    const isItself = type.kind === descriptor.kind;
    return withTypeMeta(body, type, isItself ? assertWhole : assertUnprojected);
  };
  /** Builds the body of a write to a subresource, with the name of the object. */
  const named = (object: string, body: unknown) => (descriptor: ResourceDescriptor) => {
    const whole = typed(body as KubeObject, descriptor);
    return objectBody({
      ...whole,
      metadata: { ...whole.metadata, name: whole.metadata?.name || object },
    });
  };
  const get = (object: string, options: GetOptions = {}) => send("GET", object, options);
  const update = async (object: string, body: unknown, options: WriteOptions = {}) =>
    send("PUT", object, options, named(object, body));
  return {
    get,
    update,
    create: async (object, body, options = {}) =>
      send("POST", object, options, named(object, body)),
    modify: (object, change, options = {}) => {
      const { maxTries = defaultModifyTries, signal } = options;
      const target = {
        read: () => get(object, options) as Promise<object>,
        replace: (body: object) => update(object, body, options) as Promise<object>,
        create: (body: object) => update(object, body, options) as Promise<object>,
      };
      const { clock } = calls.context;
      return modifyObject(target, change, { clock, random: Math.random, maxTries, signal });
    },
    patch: async (object, patch, options = {}) =>
      send("PATCH", object, options, async (descriptor) => {
        await assertTakesPatch(descriptor, patch);
        return jsonBody(patch.body, patch.mediaType);
      }),
    apply: async (object, body, options = {}) =>
      calls.described(options, async (descriptor) =>
        calls.applyTo(descriptor, object, name, typed(body as KubeObject, descriptor), options),
      ),
  };
}
