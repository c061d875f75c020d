import type { KubeObject } from "@typekube/api";
import { KubeError } from "@typekube/core";
import type { ListPart, WireWatchEvent } from "@typekube/core/internal";
import { type Shard, shardFilter, shardSelector } from "../shard/shard.js";
import type { WatchSource } from "./watch-source.js";
import { wrapSource } from "./wrap-source.js";

/**
 * Restricts a source to one shard. The server is requested to send only that shard, but a watch does not show whether
 * it does: an older server, or one with the gate off, silently ignores the parameter. So the objects are always
 * filtered here too, by the same hash. After a server rejects the parameter, it is not sent again.
 */
export function shardedSource(source: WatchSource, shard: Shard): WatchSource {
  const selector = shardSelector(shard);
  const belongs = shardFilter(shard);
  const asking: Asking = { selector, isRefused: false };
  return wrapSource(source, {
    listParts: (options, supervisor) =>
      mapped(
        asked(asking, options, (requested) => source.listParts(requested, supervisor)),
        (part) => ownItems(part, belongs),
      ),
    watchBatches: (options, supervisor) =>
      mapped(
        asked(asking, options, (requested) => source.watchBatches(requested, supervisor)),
        (batch) => ownEvents(batch, belongs),
      ),
  });
}

/** How a server is asked for one shard. */
interface Asking {
  readonly selector: string;
  isRefused: boolean;
}

async function* asked<O extends object, P>(
  asking: Asking,
  options: O,
  read: (options: O) => AsyncIterable<P>,
): AsyncGenerator<P, void, undefined> {
  if (!asking.isRefused) {
    try {
      yield* read({ ...options, shardSelector: asking.selector });
      return;
    } catch (error) {
      if (!isRefusal(error)) {
        throw error;
      }
      asking.isRefused = true;
    }
  }
  yield* read(options);
}

async function* mapped<P>(
  parts: AsyncIterable<P>,
  change: (part: P) => P,
): AsyncGenerator<P, void, undefined> {
  for await (const part of parts) {
    yield change(part);
  }
}

/**
 * Returns true when the server rejected the parameter. A request can fail for other reasons, so the message must
 * mention it.
 */
function isRefusal(error: unknown): boolean {
  return (
    error instanceof KubeError &&
    // 1.37.1 returns InternalError for a selector that it can't parse.
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
