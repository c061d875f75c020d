import type { KubeObject, Live } from "@typekube/api";
import type { Encoding, ListOptions } from "@typekube/client";
import { pageTokens } from "@typekube/client/internal";
import { isExpired, KubeError } from "@typekube/core";
import type { ListPart } from "@typekube/core/internal";
import type { FollowEvent } from "./follow-event.js";
import { isOfVersion } from "./watch-failure.js";
import type { WatchSource } from "./watch-source.js";
import { readOptions, type WatcherSettings } from "./watcher-options.js";

/** Items per page of a first list, as client-go's pager. */
const firstPageSize = 500;

/** What lists have taught about a server. */
export interface ListMemory {
  /** A list at "0" came in pages: there is no watch cache, so asking for everything at once would hurt. */
  alwaysPaged: boolean;
  /** Items that a list under way has still to bring, where the server tells. */
  remaining: number | undefined;
}

/**
 * One list of everything as follow events, `synced` last. The version decides the form: at "" and "0" in pages, at a
 * known version whole, which the server answers from its cache. What failed because of its version is tried once more as the
 * newest.
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

/** What is healed by another list at once is a failure all the same. */
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
      // Later pages may be waited for below: beginning anew would cost those that are here.
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
      // A token that expired between two pages: everything at once, at the version that was asked for. (client-go's pager)
      // Once: who answers that in pages too lets them expire for ever.
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

/** Whether a server builds a list as a whole before it sends any of it: JSON and protobuf it writes item by item. (KEP-5116) */
function isBuiltWhole(encoding: Encoding = "auto"): boolean {
  return encoding === "cbor" || encoding === "yaml";
}

/**
 * The first of many pages. With a limit, a version that is given alone means that very version, which an expired watch would then
 * start from again, for ever: a list may be newer, so it says so.
 */
function firstPage(whole: ListOptions, limit: number): ListOptions {
  const { resourceVersion } = whole;
  return resourceVersion === undefined || resourceVersion === "0"
    ? { ...whole, limit }
    : { ...whole, limit, resourceVersion, resourceVersionMatch: "NotOlderThan" };
}

/** The items behind this page, and those of it that have not arrived. */
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
    // A store cannot hold what has no name and no version; one that came this far would end with it.
    if (typeof object?.metadata !== "object" || object.metadata === null) {
      throw new KubeError("Decode", "the list has an item without metadata");
    }
    if (object.metadata.name) {
      events.push({ type: "initial", object: object as Live<T> });
    } else {
      // As in a watch: it cannot be told from others like it.
      onError(new KubeError("Decode", `skipped an item without a name in the ${part.kind}`));
    }
  }
  return events;
}
