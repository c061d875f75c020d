import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import { isUnsupportedMediaType, KubeError } from "@typekube/core";
import { callScope, type Projection } from "@typekube/core/internal";
import { requestNegotiatedObject } from "../negotiation/negotiated-call.js";
import type { NegotiatedVerb } from "../negotiation/negotiation-memory.js";
import { applyBody, type BodyWriter } from "../negotiation/request-body.js";
import type { EncodingOptions } from "../options/encoding-options.js";
import { assertOptionRules } from "../options/option-rules.js";
import type { ApplyOptions, WriteOptions } from "../options/write-options.js";
import type { Query } from "../request/query.js";
import { resourcePath } from "../request/resource-path.js";
import { scopeProblem } from "../request/scope-problem.js";
import { emitWarning } from "../request/warnings.js";
import { applyRefused, assertTries, uncheckedFields } from "../server/server-release.js";
import { defaultFieldManager } from "../write/default-field-manager.js";
import { namespaceIn } from "../write/object-body.js";
import { ResourceReader } from "./resource-reader.js";

/** The common parts of calls on single objects: path, query options, decoding of the response. */
export class ObjectCalls extends ResourceReader {
  /** Applies an object, or its subresource, with server-side apply. */
  async applyTo(
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
        "the object to apply must not contain metadata.managedFields",
        {
          hint: "apply only the fields that you want to own",
        },
      );
    }
    const fieldManager =
      options.fieldManager ??
      callScope()?.fieldManager ??
      this.context.defaults.fieldManager ??
      (await defaultFieldManager());
    const call = {
      method: "PATCH",
      name,
      namespace,
      subresource,
      query: { ...this.writeQuery({ ...options, fieldManager }), force: options.force },
      body: applyBody(body),
      options,
    } as const;
    try {
      return await this.send(descriptor, call);
    } catch (error) {
      throw isUnsupportedMediaType(error)
        ? await applyRefused(this.context, error, options)
        : error;
    }
  }

  /** Returns the query options common to all writes. */
  writeQuery(options: WriteOptions): Query {
    const { defaults, release } = this.context;
    const scope = callScope();
    const query = {
      dryRun: scope?.dryRun ?? options.dryRun ?? defaults.dryRun,
      fieldManager: options.fieldManager ?? scope?.fieldManager ?? defaults.fieldManager,
      fieldValidation: options.fieldValidation ?? defaults.fieldValidation,
    };
    assertOptionRules("write", query);
    assertTries(release, query.dryRun);
    const unchecked = uncheckedFields(release, query.fieldValidation);
    if (unchecked !== undefined) {
      emitWarning(this.context, options, unchecked);
    }
    return query;
  }

  /** Returns the namespace for a write: that of this client, or the object's own for a client of all namespaces. */
  protected namespaceFor(descriptor: ResourceDescriptor, object: KubeObject): string | undefined {
    const own = namespaceIn(object, descriptor.kind);
    if (descriptor.scope === "Cluster") {
      return undefined;
    }
    const namespace = this.namespace ?? own;
    if (namespace === undefined) {
      throw scopeProblem(
        `the ${descriptor.kind} has no namespace`,
        "pass a namespace to client.resource, or set metadata.namespace",
      );
    }
    if (own !== undefined && own !== namespace) {
      throw new KubeError(
        "InvalidArgument",
        `the ${descriptor.kind}'s namespace is "${own}", but this client is for "${namespace}"`,
      );
    }
    return namespace;
  }

  /** Sends a call on an object or a collection and decodes the response. */
  async send(descriptor: ResourceDescriptor, call: ObjectCall): Promise<unknown> {
    const { method, subresource, query, body, options, projection } = call;
    const response = await requestNegotiatedObject(this.context, {
      method,
      verb: verbOf(call),
      path: this.objectPath(descriptor, call),
      descriptor,
      subresource,
      view: this.view,
      query,
      body,
      projection,
      options,
    });
    if (method !== "GET") {
      const { apiVersion, kind } = descriptor;
      const connection = this.context.lifetime;
      callScope()?.onWrite?.({ method, connection, apiVersion, kind, subresource, response });
    }
    return response;
  }

  /** Returns the path of an object, or of the collection for a call without a name. */
  protected objectPath(
    descriptor: ResourceDescriptor,
    call: Pick<ObjectCall, "name" | "namespace" | "subresource">,
  ): string {
    const { name, subresource, namespace = this.namespace } = call;
    if ("name" in call && typeof name !== "string") {
      // Without a name the path would be the collection's, and a delete would delete all objects.
      throw new KubeError("InvalidArgument", `the name of the ${descriptor.kind} is missing`);
    }
    if (descriptor.scope === "Namespaced" && namespace === undefined && name !== undefined) {
      throw scopeProblem(
        `${descriptor.kind} "${name}" needs a namespace: this client covers all namespaces`,
        `use client.resource(${descriptor.kind}, namespace)`,
      );
    }
    return resourcePath(descriptor, { namespace, name, subresource });
  }
}

/** A call on an object, or on the collection when it has no name. */
export interface ObjectCall {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  readonly name?: string | undefined;
  /** Default: the client's namespace. */
  readonly namespace?: string | undefined;
  readonly subresource?: string | undefined;
  readonly query: Query;
  readonly body?: BodyWriter | undefined;
  /** Fields to keep of the object that a get returns. */
  readonly projection?: Projection | undefined;
  readonly options: EncodingOptions;
}

function verbOf(call: ObjectCall): NegotiatedVerb {
  if (call.method === "GET") {
    return "get";
  }
  return call.method === "DELETE" && !("name" in call) ? "deletecollection" : "write";
}
