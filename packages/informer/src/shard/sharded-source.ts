import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import type { WatchSource } from "../watcher/watch-source.js";
import { type Shard, shardFilter, shardSelector } from "./shard.js";

/**
 * A source that shows one shard of what another has. The server is asked to send no more than that. Whether it does so cannot be seen on
 * a watch (an older server, or one with the gate off, ignores the parameter without a word), so what comes is sorted here by
 * the same hash in any case. A server that refuses the parameter is not asked for it again.
 */
export function shardedSource(source: WatchSource, shard: Shard): WatchSource {
  const selector = shardSelector(shard);
  const belongs = shardFilter(shard);
  let isRefused = false;
  async function* asking<O extends object, P>(
    options: O,
    read: (options: O) => AsyncIterable<P>,
  ): AsyncIterable<P> {
    if (!isRefused) {
      try {
        yield* read({ ...options, shardSelector: selector });
        return;
      } catch (error) {
        if (!isRefusal(error)) {
          throw error;
        }
        isRefused = true;
      }
    }
    yield* read(options);
  }
  return {
    subject: source.subject,
    descriptor: (options) => source.descriptor(options),
    async *listParts(options, supervisor) {
      const list = (requested: typeof options) => source.listParts(requested, supervisor);
      for await (const part of asking(options, list)) {
        yield ownItems(part, belongs);
      }
    },
    async *watchBatches(options, supervisor) {
      const watch = (requested: typeof options) => source.watchBatches(requested, supervisor);
      for await (const batch of asking(options, watch)) {
        yield ownEvents(batch, belongs);
      }
    },
  };
}

/** A request can be refused for other reasons too; only a message about the parameter says that it is the reason. */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof KubeError &&
    // 1.37.1 says InternalError of a selector that it cannot read.
    ["BadRequest", "InternalError", "Invalid"].includes(error.code) &&
    /shard ?selector/i.test(error.rawMessage)
  );
}

function ownItems(part: ListPart, belongs: (object: KubeObject) => boolean): ListPart {
  const items = part.items.filter((item) => belongs(item));
  return items.length === part.items.length ? part : { ...part, items };
}

function ownEvents(
  batch: readonly WireWatchEvent[],
  belongs: (object: KubeObject) => boolean,
): readonly WireWatchEvent[] {
  const isOwn = ({ type, object }: WireWatchEvent) =>
    type === "BOOKMARK" || type === "ERROR" || belongs(object as KubeObject);
  return batch.every(isOwn) ? batch : batch.filter(isOwn);
}
