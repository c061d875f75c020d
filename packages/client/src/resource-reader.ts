import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import {
  type DecodeOptions,
  errorFromStatus,
  isStatus,
  KubeError,
  type ListPart,
  type WireWatchEvent,
} from "@typekube/core";
import type { ClientContext } from "./client-context.js";
import { type Call, exchange, located } from "./exchange.js";
import { raiseUnknownField, UnknownFieldSignal } from "./negotiation.js";
import { assertOptions } from "./option-rules.js";
import type { CallOptions, ListOptions, WatchOptions } from "./options.js";
import { type Query, selectorQuery } from "./query.js";
import { resourcePath } from "./resource-path.js";

/** Finds the descriptor of a resource: at once for a built-in one, by discovery for others. */
export type DescriptorSource = (options?: CallOptions) => Promise<ResourceDescriptor>;

/**
 * The two reads that everything else is made of: a list as it arrives, and the raw events of one watch. Informers and
 * pagers need no more of a client than this.
 */
export class ResourceReader {
  readonly context: ClientContext;
  readonly descriptor: DescriptorSource;
  readonly namespace: string | undefined;

  constructor(context: ClientContext, descriptor: DescriptorSource, namespace: string | undefined) {
    this.context = context;
    this.descriptor = descriptor;
    this.namespace = namespace;
  }

  /** One list request; the parts come as their bytes do. */
  async *listParts(options: ListOptions): AsyncIterable<ListPart> {
    assertOptions("list", options);
    const descriptor = await this.descriptor(options);
    const query = {
      ...selectorQuery(options),
      limit: options.limit || undefined,
      continue: options.continue,
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      timeoutSeconds: options.timeoutSeconds,
    };
    let yielded = 0;
    let listVersion: string | undefined;
    try {
      for await (const part of this.#listOnce(descriptor, options, query)) {
        listVersion ??= part.metadata?.resourceVersion;
        yielded += part.items.length;
        yield part;
      }
    } catch (error) {
      if (!(error instanceof UnknownFieldSignal)) {
        throw error;
      }
      // Read again as JSON, in the very state that was half read, leaving out what was handed over already.
      this.context.memory.holdToJson(descriptor);
      const again: Query =
        yielded > 0 && !options.continue
          ? { ...query, resourceVersion: listVersion, resourceVersionMatch: "Exact" }
          : query;
      yield* skipItems(this.#listOnce(descriptor, options, again), yielded);
    }
  }

  async *#listOnce(
    descriptor: ResourceDescriptor,
    options: ListOptions,
    query: Query,
  ): AsyncIterable<ListPart> {
    const call = this.#call(descriptor, options, query, "call");
    const { request, response, codec } = await exchange(this.context, call);
    try {
      yield* codec.decodeList(response.body, this.#decodeOptions(options));
    } catch (error) {
      throw located(error, request, call.path);
    }
  }

  /** One watch request: every event as the server sent it, `ERROR` included, in the groups that arrived together. */
  async *watchBatches(options: WatchOptions): AsyncIterable<readonly WireWatchEvent[]> {
    assertOptions("watch", options);
    const descriptor = await this.descriptor(options);
    const call = this.#call(
      descriptor,
      options,
      {
        ...selectorQuery(options),
        watch: true,
        allowWatchBookmarks: options.allowWatchBookmarks ?? true,
        resourceVersion: options.resourceVersion,
        sendInitialEvents: options.sendInitialEvents,
        resourceVersionMatch: options.resourceVersionMatch,
        timeoutSeconds: options.timeoutSeconds,
      },
      "stream",
    );
    const { request, response, codec } = await exchange(this.context, call);
    try {
      yield* codec.decodeWatch(response.body, this.#decodeOptions(options));
    } catch (error) {
      if (error instanceof UnknownFieldSignal) {
        this.context.memory.holdToJson(descriptor);
        throw new KubeError(
          "Decode",
          `protobuf would lose a field of ${descriptor.plural}: ${error.message}`,
          {
            hint: "watch again from the last version: the resource is read as JSON from now on",
          },
        );
      }
      throw located(error, request, call.path);
    }
  }

  #call(
    descriptor: ResourceDescriptor,
    options: ListOptions | WatchOptions,
    query: Query,
    mode: "call" | "stream",
  ): Call {
    const { memory, defaults } = this.context;
    return {
      method: "GET",
      path: resourcePath(descriptor, { namespace: this.namespace }),
      query,
      accept: memory.accept(descriptor, options.encoding ?? defaults.encoding ?? "auto", true),
      mode,
      options,
    };
  }

  #decodeOptions(options: ListOptions | WatchOptions): DecodeOptions {
    return {
      managedFields: options.managedFields,
      limits: this.context.defaults.limits,
      onUnknownField: raiseUnknownField,
    };
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

/** The error for an ERROR event of a watch. */
export function errorFromEvent(event: WireWatchEvent): KubeError {
  return isStatus(event.object)
    ? errorFromStatus(event.object)
    : new KubeError(
        "Decode",
        `the watch sent an ERROR with ${(event.object as KubeObject | null)?.kind ?? "no object"} instead of a Status`,
      );
}
