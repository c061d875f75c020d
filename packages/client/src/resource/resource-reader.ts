import type { ResourceDescriptor } from "@typekube/api";
import { KubeError } from "@typekube/core";
import {
  type DecodeOptions,
  hasProjectedObject,
  type ListPart,
  markProjected,
  type Projection,
  projectionOf,
  type WireWatchEvent,
} from "@typekube/core/internal";
import { type DescriptorSource, withDescriptor } from "../discovery/with-descriptor.js";
import { type NegotiatedCall, sendNegotiatedCall } from "../negotiation/negotiated-call.js";
import type { CallOptions } from "../options/call-options.js";
import { versionedOptions } from "../options/consistency.js";
import type { AnyFieldsOption } from "../options/fields-option.js";
import type { ListOptions } from "../options/list-options.js";
import { assertOptionRules } from "../options/option-rules.js";
import type { WatchOptions } from "../options/watch-options.js";
import { listQuery, type Query, selectorQuery } from "../request/query.js";
import { located, nonEmptyBody } from "../request/request-object.js";
import { resourcePath } from "../request/resource-path.js";
import { assertStream, type CallResponse } from "../request/send-call.js";
import { countedBody } from "../response/counted-body.js";
import { projectionFor } from "../response/projection-of.js";
import { raiseUnknownField, UnknownFieldSignal } from "../response/unknown-field.js";
import {
  eventsBeforeTable,
  metadataDescriptor,
  tableError,
  type View,
  viewedEvents,
  viewedList,
} from "../response/view.js";
import type { ClientContext } from "./client-context.js";

/** Observes a read. Called as the response arrives, before it is decoded. */
export interface ReadSupervisor {
  /** Called when the response to a watch begins, which may be long before its first event. */
  onResponse?(): void;
  /** Called with the number of bytes of each chunk of the body, after any content-encoding was removed. */
  onBytes?(count: number): void;
  /**
   * `false` for a caller with its own retry rules: temporary refusals (429, 5xx with Retry-After) fail at once. Default
   * true.
   */
  readonly isRepeated?: boolean | undefined;
  /** Passes on a table among the events of a watch, although none was requested. Default false: it is an error. */
  readonly takesTables?: boolean | undefined;
  /** `true` for a caller that has checked the paths of `fields`. Default false: they are checked against the kind. */
  readonly hasCheckedFields?: boolean | undefined;
}

/**
 * The two reads that everything else builds on: a list as it arrives, and the raw events of one watch. Informers and
 * pagers need no other part of a client.
 */
export class ResourceReader {
  readonly context: ClientContext;
  /** Supplies the descriptor of the resource; its kind is that of the objects read. */
  readonly descriptor: DescriptorSource;
  readonly namespace: string | undefined;
  readonly view: View;

  constructor(
    context: ClientContext,
    descriptor: DescriptorSource,
    namespace: string | undefined,
    view: View = "full",
  ) {
    this.context = context;
    this.descriptor =
      view === "full"
        ? descriptor
        : async (options) => metadataDescriptor(await descriptor(options));
    this.namespace = namespace;
    this.view = view;
  }

  /**
   * Makes a call with the descriptor of the resource, and repeats it once when the server turns out to serve the
   * resource elsewhere.
   */
  described<R>(
    options: CallOptions,
    call: (descriptor: ResourceDescriptor) => Promise<R>,
  ): Promise<R> {
    return withDescriptor(this.context.discovery, this.descriptor, options, call);
  }

  /** Sends one list request and yields its parts as their bytes arrive. */
  async *listParts(
    options: ListOptions & AnyFieldsOption,
    supervisor: ReadSupervisor = {},
  ): AsyncIterable<ListPart> {
    const requested = versionedOptions(options);
    assertOptionRules("list", requested);
    const query = listQuery(requested);
    let yielded = 0;
    let listVersion: string | undefined;
    try {
      for await (const part of this.#listOnce(options, query, supervisor)) {
        listVersion ??= part.metadata?.resourceVersion;
        yielded += part.items.length;
        yield part;
      }
    } catch (error) {
      if (!(error instanceof UnknownFieldSignal)) {
        throw error;
      }
      // Read again as JSON, at the state that was partly read, skipping the items that were already yielded.
      this.#holdToJson(await this.descriptor(options));
      const again: Query =
        yielded > 0 && !options.continue
          ? { ...query, resourceVersion: listVersion, resourceVersionMatch: "Exact" }
          : query;
      yield* skipItems(this.#listOnce(options, again, supervisor), yielded);
    }
  }

  async *#listOnce(
    options: ListOptions & AnyFieldsOption,
    query: Query,
    supervisor: ReadSupervisor,
  ): AsyncIterable<ListPart> {
    const { call, result: reply } = await this.#sendRead("list", options, query, supervisor);
    const { request, response, codec } = reply;
    try {
      const body = countedBody(nonEmptyBody(response), supervisor.onBytes?.bind(supervisor));
      const projection = options.fields && projectionOf(options.fields);
      const parts = codec.decodeList(body, this.#decodeOptions(options, projection));
      for await (const part of parts) {
        if (projection !== undefined) {
          for (const item of part.items) {
            markProjected(item, projection);
          }
        }
        yield viewedList(part, this.view);
      }
    } catch (error) {
      throw located(error, request, call.path);
    }
  }

  /**
   * Sends one watch request and yields every event as the server sent it, `ERROR` included, in the groups that arrived
   * together.
   */
  async *watchBatches(
    options: WatchOptions & AnyFieldsOption,
    supervisor: ReadSupervisor = {},
  ): AsyncIterable<readonly WireWatchEvent[]> {
    assertOptionRules("watch", options);
    const query: Query = {
      ...selectorQuery(options),
      watch: true,
      allowWatchBookmarks: options.allowWatchBookmarks ?? true,
      resourceVersion: options.resourceVersion,
      sendInitialEvents: options.sendInitialEvents,
      resourceVersionMatch: options.resourceVersionMatch,
      timeoutSeconds: options.timeoutSeconds,
    };
    const { call, result: reply } = await this.#sendRead("watch", options, query, supervisor);
    await assertStream(reply, call.path);
    supervisor.onResponse?.();
    const { request, response, codec } = reply;
    try {
      const body = countedBody(response.body, supervisor.onBytes?.bind(supervisor));
      const projection = options.fields && projectionOf(options.fields);
      for await (const events of codec.decodeWatch(
        body,
        this.#decodeOptions(options, projection),
      )) {
        if (projection !== undefined) {
          markEvents(events, projection);
        }
        const received = supervisor.takesTables ? events : eventsBeforeTable(events);
        if (received.length > 0) {
          yield viewedEvents(received, this.view);
        }
        if (received.length < events.length) {
          throw tableError();
        }
      }
    } catch (error) {
      if (error instanceof UnknownFieldSignal) {
        this.#holdToJson(call.descriptor);
        throw new KubeError(
          "Decode",
          `protobuf would lose a field of ${call.descriptor.plural}: ${error.message}`,
          {
            hint: "resume from the last resourceVersion: this client now reads the resource as JSON",
          },
        );
      }
      throw located(error, request, call.path);
    }
  }

  #holdToJson(descriptor: ResourceDescriptor): void {
    const { memory } = this.context;
    memory.refuse({ descriptor, view: this.view }, "responses", "protobuf", "UnknownField");
  }

  #sendRead(
    verb: "list" | "watch",
    options: (ListOptions | WatchOptions) & AnyFieldsOption,
    query: Query,
    { isRepeated, hasCheckedFields }: ReadSupervisor,
  ): Promise<{ readonly call: NegotiatedCall; readonly result: CallResponse }> {
    return this.described(options, async (descriptor) => {
      if (!hasCheckedFields) {
        await projectionFor(descriptor, options.fields);
      }
      const call: NegotiatedCall = {
        method: "GET",
        verb,
        view: this.view,
        descriptor,
        path: resourcePath(descriptor, { namespace: this.namespace }),
        query,
        mode: verb === "watch" ? "stream" : "call",
        isRepeated,
        options,
      };
      return { call, result: await sendNegotiatedCall(this.context, call) };
    });
  }

  #decodeOptions(
    options: ListOptions | WatchOptions,
    projection: Projection | undefined,
  ): DecodeOptions {
    return {
      projection,
      managedFields: options.managedFields,
      shareEqual: options.shareEqual,
      limits: this.context.defaults.limits,
      onUnknownField: raiseUnknownField,
    };
  }
}

function markEvents(events: readonly WireWatchEvent[], projection: Projection): void {
  for (let at = 0; at < events.length; at++) {
    const { type, object } = events[at] as WireWatchEvent;
    if (hasProjectedObject(type)) {
      markProjected(object as object, projection);
    }
  }
}

async function* skipItems(parts: AsyncIterable<ListPart>, count: number): AsyncIterable<ListPart> {
  let left = count;
  for await (const part of parts) {
    const skipped = Math.min(left, part.items.length);
    left -= skipped;
    yield { ...part, items: part.items.slice(skipped) };
  }
}
