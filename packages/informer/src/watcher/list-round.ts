import type { KubeObject, Live } from "@typekube/api";
import type { Encoding, ListOptions } from "@typekube/client";
import { pageTokens } from "@typekube/client/internal";
import { isExpired, KubeError } from "@typekube/core";
import type { ListPart } from "@typekube/core/internal";
import type { FollowEvent } from "../events/follow-event.js";
import type { WatchSource } from "../sources/watch-source.js";
import { isOfVersion } from "./watch-failure.js";
import { readOptions, type WatcherSettings } from "./watcher-options.js";

/** Items per page of a first list, as in client-go's pager. */
const firstPageSize = 500;

/** Facts about a server that its lists have shown. */
export interface ListMemory {
  /** `true` when a list at "0" came in pages: the server has no watch cache, so an unpaged list would be expensive. */
  alwaysPaged: boolean;
  /** Items that the current list has yet to deliver, when the server reports them. */
  remaining: number | undefined;
}

/**
 * Lists the collection once and yields follow events, `synced` last. The resourceVersion decides the form: pages at ""
 * and "0", one whole list at a known resourceVersion, which the server serves from its watch cache. A list that fails
 * because of its resourceVersion is retried once for the newest state.
 */
export async function* listRound<T extends KubeObject>(
  source: WatchSource,
  settings: WatcherSettings,
  resourceVersion: string,
  memory: ListMemory,
  signal: AbortSignal,
): AsyncIterable<readonly FollowEvent<T>[]> {
  let yielded = false;
  try {
    for await (const events of listAt<T>(source, settings, resourceVersion, memory, signal)) {
      yielded = true;
      yield events;
    }
  } catch (error) {
    if (!isOfVersion(error, resourceVersion)) {
      throw error;
    }
    tell(settings, error);
    if (yielded) {
      yield [{ type: "gap", cause: error }];
    }
    yield* listAt<T>(source, settings, "", memory, signal);
  }
}

/** Reports a failure, even though another list follows at once. */
function tell({ onError, onRestart }: WatcherSettings, error: KubeError): void {
  onError(error);
  onRestart(error.code);
}

async function* listAt<T extends KubeObject>(
  source: WatchSource,
  settings: WatcherSettings,
  resourceVersion: string,
  memory: ListMemory,
  signal: AbortSignal,
): AsyncIterable<readonly FollowEvent<T>[]> {
  const base = { ...readOptions(settings), signal };
  const paged =
    resourceVersion === "" ||
    resourceVersion === "0" ||
    memory.alwaysPaged ||
    isBuiltWhole(settings.encoding ?? source.encoding);
  const limit = settings.pageSize ?? (paged ? firstPageSize : undefined);
  const whole: ListOptions = resourceVersion === "" ? base : { ...base, resourceVersion };
  let page: ListOptions = limit ? firstPage(whole, limit) : whole;
  let version: string | undefined;
  let hasExpired = false;
  let assertNew = pageTokens();
  for (;;) {
    let next: string | undefined;
    let items = 0;
    try {
      // The client may retry later pages: starting over would lose the pages that are here.
      const isRepeated = page.continue !== undefined;
      for await (const part of source.listParts(page, { isRepeated })) {
        version = part.metadata?.resourceVersion ?? version;
        next = part.metadata?.continue || undefined;
        const events = initialEvents<T>(part, settings);
        items += part.items.length;
        memory.remaining = remainingItems(part, Math.max(0, (page.limit ?? 0) - items));
        if (events.length > 0) {
          yield events;
        }
      }
    } catch (error) {
      // A token that expired between two pages: list everything at once, at the requested resourceVersion. (client-go's
      // pager) Only once: a server that pages this list too may let its tokens expire indefinitely.
      if (page.continue === undefined || !isExpired(error) || hasExpired) {
        throw error;
      }
      hasExpired = true;
      tell(settings, error);
      yield [{ type: "gap", cause: error }];
      page = whole;
      assertNew = pageTokens();
      continue;
    }
    if (next === undefined) {
      break;
    }
    assertNew(next);
    memory.alwaysPaged ||= resourceVersion === "0";
    page = { ...base, ...(limit ? { limit } : {}), continue: next };
  }
  if (!version && settings.poll === undefined) {
    throw new KubeError("Decode", "the list has no metadata.resourceVersion to watch from", {
      hint: "set poll: { everyMs } to list it periodically instead",
    });
  }
  yield [{ type: "synced", resourceVersion: version ?? "" }];
}

/**
 * Returns true for encodings in which a server builds a whole list before it sends any of it. It writes JSON and
 * protobuf item by item. (KEP-5116)
 */
function isBuiltWhole(encoding: Encoding = "auto"): boolean {
  return encoding === "cbor" || encoding === "yaml";
}

/**
 * Returns the options of the first page. With a limit, a resourceVersion without a match requests that exact state, and
 * the next watch would expire at the same resourceVersion again, indefinitely. So the page requests NotOlderThan.
 */
function firstPage(whole: ListOptions, limit: number): ListOptions {
  const { resourceVersion } = whole;
  return resourceVersion === undefined || resourceVersion === "0"
    ? { ...whole, limit }
    : { ...whole, limit, resourceVersion, resourceVersionMatch: "NotOlderThan" };
}

/** Returns the number of items after this page, plus those of the page that have not arrived. */
function remainingItems({ metadata }: ListPart, leftOfPage: number): number | undefined {
  const behind = metadata?.remainingItemCount;
  return behind === undefined ? undefined : Number(behind) + leftOfPage;
}

function initialEvents<T extends KubeObject>(
  part: ListPart,
  { onError }: WatcherSettings,
): FollowEvent<T>[] {
  if (part.kind === "Table") {
    throw new KubeError("Decode", "expected a list of objects, but the server returned a Table");
  }
  const events: FollowEvent<T>[] = [];
  for (const object of part.items) {
    // A store can't hold an object without metadata; processing it would end the store's watch.
    if (typeof object?.metadata !== "object" || object.metadata === null) {
      throw new KubeError("Decode", "the list has an item without metadata");
    }
    if (object.metadata.name) {
      events.push({ type: "initial", object: object as Live<T> });
    } else {
      // As in a watch: an object without a name can't be told apart from others.
      onError(new KubeError("Decode", `skipped an item without a name in the ${part.kind}`));
    }
  }
  return events;
}
