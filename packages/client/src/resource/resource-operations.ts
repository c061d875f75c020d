import type { KubeList, KubeObject, Live } from "@typekube/api";
import { isNotFound, type Status } from "@typekube/core";
import { assertKnownOptions, callScope } from "@typekube/core/internal";
import { type ItemWalk, itemWalk } from "../list/item-walk.js";
import { readList } from "../list/read-list.js";
import { tableAcceptHeader } from "../negotiation/accept.js";
import { type BodyWriter, jsonBody, objectBody } from "../negotiation/request-body.js";
import { assertCallOptionNames } from "../options/any-call-options.js";
import { callOptionsOf } from "../options/call-options-of.js";
import { versionedOptions, versionOfGet } from "../options/consistency.js";
import {
  type DeleteCollectionOptions,
  type DeleteOptions,
  deleteCollectionOptions,
  type UnsafeDeleteOptions,
} from "../options/delete-options.js";
import type { AnyFieldsOption } from "../options/fields-option.js";
import type { GetOptions } from "../options/get-options.js";
import type { ItemsOptions } from "../options/items-options.js";
import type { ListOptions } from "../options/list-options.js";
import { assertOptionRules } from "../options/option-rules.js";
import type { TableListOptions, TableOptions } from "../options/table-options.js";
import type { WatchOptions } from "../options/watch-options.js";
import type {
  ApplyOptions,
  CreateOptions,
  ModifyOrCreateOptions,
  WriteOptions,
} from "../options/write-options.js";
import type { Patch } from "../patch/patch.js";
import { assertTakesPatch } from "../patch/strategic-kinds.js";
import { listQuery, type Query } from "../request/query.js";
import { requestObject } from "../request/request-object.js";
import { emitWarning } from "../request/warnings.js";
import { isList, withItemKinds } from "../response/object-list.js";
import { projectionFor } from "../response/projection-of.js";
import { readTable, type Table } from "../response/table.js";
import { assertDeletesUnread, assertTries } from "../server/server-release.js";
import type { WatchEvent } from "../watch/watch-event.js";
import { WatchEvents } from "../watch/watch-events.js";
import { type ApplyResult, applyResult } from "../write/apply-result.js";
import { assertWhole } from "../write/assert-whole.js";
import { type DeleteResult, readDeleteResult } from "../write/delete-result.js";
import { createNamed, defaultNameTries } from "../write/generate-name.js";
import { defaultModifyTries, modifyObject, type ObjectChange } from "../write/modify.js";
import { assertNamed, nameOf, withTypeMeta } from "../write/object-body.js";
import type { ClientContext } from "./client-context.js";
import { ObjectCalls } from "./object-calls.js";
import { type SubresourceOperations, subresourceOperations } from "./subresource-operations.js";

/** All verbs on one resource. The types restrict callers to the verbs of the resource. */
export class ResourceOperations extends ObjectCalls {
  async get(name: string, options: GetOptions & AnyFieldsOption = {}): Promise<Live<KubeObject>> {
    return (await this.described(options, async (descriptor) =>
      this.send(descriptor, {
        method: "GET",
        name,
        query: { resourceVersion: versionOfGet(options) },
        projection: await projectionFor(descriptor, options.fields),
        options,
      }),
    )) as Live<KubeObject>;
  }

  async find(
    name: string,
    options: GetOptions & AnyFieldsOption = {},
  ): Promise<Live<KubeObject> | undefined> {
    try {
      return await this.get(name, options);
    } catch (error) {
      // A path that is not served is not a missing object: its Status names no object.
      if (isNotFound(error) && error.status?.details?.name !== undefined) {
        return undefined;
      }
      throw error;
    }
  }

  async list(options: ListOptions & AnyFieldsOption = {}): Promise<KubeList<Live<KubeObject>>> {
    return readList(this, options);
  }

  items(options: ItemsOptions & AnyFieldsOption = {}): ItemWalk<KubeObject> {
    return itemWalk((page) => this.listParts(page), options);
  }

  watch(options: WatchOptions & AnyFieldsOption = {}): AsyncIterable<WatchEvent> {
    const start = (signal: AbortSignal) => this.watchBatches({ ...options, signal });
    const onUnknown = (type: string) => {
      // An event type of a later server: skipping it keeps the watch alive (WAT3).
      const text = `skipped a watch event of the unknown type "${type}"`;
      emitWarning(this.context, options, text);
    };
    return new WatchEvents(start, onUnknown, options);
  }

  async table(options: TableListOptions = {}): Promise<KubeList<Live<KubeObject>> | Table> {
    const requested = versionedOptions(options);
    assertOptionRules("list", requested);
    const response = await this.#table({}, options, listQuery(requested));
    return (isList(response) ? withItemKinds(response) : response) as
      | KubeList<Live<KubeObject>>
      | Table;
  }

  async tableOf(name: string, options: TableOptions = {}): Promise<Live<KubeObject> | Table> {
    return (await this.#table({ name }, options)) as Live<KubeObject> | Table;
  }

  /** Requests a table as JSON, whatever the client's encoding: the only other encoding of tables is YAML. */
  async #table(
    place: { readonly name?: string },
    options: TableOptions,
    query: Query = {},
  ): Promise<unknown> {
    const { includeObject, fallback = true } = options;
    return readTable(
      await this.described(options, async (descriptor) =>
        requestObject(this.context, {
          method: "GET",
          path: this.objectPath(descriptor, place),
          accept: tableAcceptHeader(fallback),
          query: { ...query, includeObject },
          options,
        }),
      ),
    );
  }

  /** Returns a client of the same resource that sees the metadata of its objects only. */
  metadata(): ResourceOperations {
    return metadataOf(this.context, this.descriptor, this.namespace);
  }

  async create(object: KubeObject, options: CreateOptions = {}): Promise<Live<KubeObject>> {
    return (await this.described(options, async (descriptor) => {
      const body = withTypeMeta(object, descriptor);
      assertNamed(object, descriptor);
      const send = () =>
        this.send(descriptor, {
          method: "POST",
          namespace: this.namespaceFor(descriptor, object),
          query: this.writeQuery(options),
          body: objectBody(body),
          options,
        });
      const { maxNameTries = defaultNameTries, signal } = options;
      const tries = { clock: this.context.clock, maxTries: maxNameTries, signal };
      return createNamed(object, send, tries);
    })) as Live<KubeObject>;
  }

  async update(object: KubeObject, options: WriteOptions = {}): Promise<Live<KubeObject>> {
    return (await this.described(options, async (descriptor) =>
      this.send(descriptor, {
        method: "PUT",
        body: objectBody(withTypeMeta(object, descriptor)),
        name: nameOf(object, descriptor.kind),
        namespace: this.namespaceFor(descriptor, object),
        query: this.writeQuery(options),
        options,
      }),
    )) as Live<KubeObject>;
  }

  async modify(
    name: string,
    change: ObjectChange<never, object>,
    options: ModifyOrCreateOptions<KubeObject> = {},
  ): Promise<Live<KubeObject>> {
    const { createIfMissing: initial, maxTries = defaultModifyTries, signal } = options;
    // Options of another call may name fields: what is written must be read whole.
    const read = { ...options, fields: undefined };
    assertWhole(initial, "createIfMissing");
    const target = {
      initial: initial && { ...initial, metadata: { ...initial.metadata, name } },
      read: () => (initial === undefined ? this.get(name, read) : this.find(name, read)),
      create: (object: object) => this.create(object, options),
      replace: (object: object) => this.update(object, options),
    };
    const settings = { clock: this.context.clock, random: Math.random, maxTries, signal };
    return (await modifyObject(target, change, settings)) as Live<KubeObject>;
  }

  async patch(name: string, patch: Patch, options: WriteOptions = {}): Promise<Live<KubeObject>> {
    return (await this.described(options, async (descriptor) => {
      await assertTakesPatch(descriptor, patch);
      return this.send(descriptor, {
        method: "PATCH",
        name,
        query: this.writeQuery(options),
        body: jsonBody(patch.body, patch.mediaType),
        options,
      });
    })) as Live<KubeObject>;
  }

  async apply(object: KubeObject, options: ApplyOptions = {}): Promise<Live<KubeObject>> {
    return (await this.described(options, async (descriptor) => {
      const body = withTypeMeta(object, descriptor);
      const name = nameOf(object, descriptor.kind);
      const namespace = this.namespaceFor(descriptor, object);
      return this.applyTo(descriptor, name, undefined, body, options, namespace);
    })) as Live<KubeObject>;
  }

  async applyWithResult(object: KubeObject, options: ApplyOptions = {}): Promise<ApplyResult> {
    const name = await this.described(options, async ({ kind }) => nameOf(object, kind));
    // Before the read, which does not take the options of a write.
    assertCallOptionNames(options);
    const before = await this.find(name, callOptionsOf(options));
    const isDry = (options.dryRun ?? this.context.defaults.dryRun) !== undefined;
    return applyResult(before, await this.apply(object, options), isDry);
  }

  async delete(
    name: string,
    options: DeleteOptions | UnsafeDeleteOptions = {},
  ): Promise<DeleteResult> {
    const response = await this.described(options, async (descriptor) =>
      this.send(descriptor, {
        method: "DELETE",
        name,
        query: {},
        body: deleteBody(options, this.context),
        options,
      }),
    );
    return readDeleteResult(response as KubeObject | Status);
  }

  async deleteCollection(
    options: DeleteCollectionOptions = {},
  ): Promise<KubeList<Live<KubeObject>> | Status> {
    assertOptionRules("list", options);
    // Options of other calls, too: ignoring a restriction would delete more objects.
    assertKnownOptions("a deleteCollection", options, deleteCollectionOptions);
    return (await this.described(options, async (descriptor) =>
      this.send(descriptor, {
        method: "DELETE",
        query: listQuery(options as ListOptions),
        body: deleteBody(options, this.context),
        options,
      }),
    )) as KubeList<Live<KubeObject>> | Status;
  }

  /** Returns the operations on one subresource. */
  subresource(name: string): SubresourceOperations {
    return subresourceOperations(this, name);
  }
}

/** Returns delete options as a body of their own kind, always as JSON: custom resources accept nothing else. */
function deleteBody(
  options: DeleteOptions | UnsafeDeleteOptions,
  { defaults, release }: ClientContext,
): BodyWriter {
  const given = {
    dryRun: callScope()?.dryRun ?? options.dryRun ?? defaults.dryRun,
    gracePeriodSeconds: options.gracePeriodSeconds,
    propagationPolicy: options.propagationPolicy,
    preconditions: options.preconditions,
    ignoreStoreReadErrorWithClusterBreakingPotential:
      options.ignoreStoreReadErrorWithClusterBreakingPotential,
  };
  assertOptionRules("write", given);
  assertTries(release, given.dryRun);
  assertDeletesUnread(release, given.ignoreStoreReadErrorWithClusterBreakingPotential);
  return jsonBody({
    apiVersion: "v1",
    kind: "DeleteOptions",
    ...given,
    dryRun: given.dryRun === undefined ? undefined : [given.dryRun],
  });
}

// Outside of the class: the bundler renames a class that names itself in its body, and Node prints the class's name.
function metadataOf(
  ...[context, descriptor, namespace]: ConstructorParameters<typeof ResourceOperations>
): ResourceOperations {
  return new ResourceOperations(context, descriptor, namespace, "metadata");
}
