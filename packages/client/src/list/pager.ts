import { isExpired, KubeError } from "@typekube/core";
import { assertOptionValues, type ListPart, linkAbort } from "@typekube/core/internal";
import { assertIsOptions } from "../options/call-options.js";
import { versionedOptions } from "../options/consistency.js";
import { type ItemsOptions, type ItemsProgress, itemsOptions } from "../options/items-options.js";
import type { ListOptions } from "../options/list-options.js";
import type { ListVersion } from "../options/read-state.js";
import type { KubeObject, ListMeta } from "../types/api-types.js";
import { listStateProblem, otherState } from "./list-state.js";
import { lostPlace } from "./lost-place.js";
import { pageTokens } from "./page-tokens.js";
import { type PagePart, prefetchPages } from "./prefetch-pages.js";

/** Default number of items per request, as in client-go's pager. */
export const defaultPageSize = 500;

/** Sends one list request. The pager needs nothing else. */
export type ListPage = (options: ListOptions) => AsyncIterable<ListPart>;

/**
 * Iterates over all items of a collection, page by page, decoding each page as it arrives. All pages show the state of
 * the first one. `onMetadata` receives the metadata of each page.
 *
 * @throws {KubeError} `Expired` when the server does not show the exact state requested; `InvalidArgument` for a
 * `pageSize` or `prefetch` that is not an integer of at least 0; `Decode` for pages that repeat.
 */
export async function* pageItems(
  listPage: ListPage,
  options: ItemsOptions,
  onMetadata: (metadata: ListMeta) => void = () => {},
): AsyncIterable<KubeObject> {
  assertIsOptions(options);
  assertOptionValues(options, itemsOptions);
  const { prefetch = 0, onProgress, ...requested } = options;
  if (prefetch === 0) {
    yield* itemsOf(walkPages(listPage, requested, onMetadata), onProgress);
    return;
  }
  // Pages that are read ahead are cancelled when the reader stops.
  using abort = linkAbort(options.signal);
  const pages = walkPages(listPage, { ...requested, signal: abort.signal }, onMetadata);
  const ahead = prefetchPages(pages, prefetch, () => abort.abort(new Error("the reader stopped")));
  yield* itemsOf(ahead, onProgress);
}

async function* itemsOf(
  parts: AsyncIterable<PagePart<KubeObject>>,
  onProgress: ((progress: ItemsProgress) => void) | undefined,
): AsyncIterable<KubeObject> {
  let items = 0;
  for await (const part of parts) {
    items += part.items.length;
    // Not yield*: it would await each item once more.
    for (const item of part.items) {
      yield item;
    }
    if (part.endsPage) {
      onProgress?.({ items, remaining: part.remaining });
    }
  }
}

async function* walkPages(
  listPage: ListPage,
  options: ItemsOptions,
  onMetadata: (metadata: ListMeta) => void,
): AsyncIterable<PagePart<KubeObject>> {
  const {
    pageSize = defaultPageSize,
    onExpired = "fail",
    resourceVersion,
    resourceVersionMatch,
    ...rest
  } = versionedOptions(options);
  const whole = { ...rest, resourceVersion, resourceVersionMatch } as ListOptions;
  const seen = onExpired === "restart" ? new Set<string>() : undefined;
  const assertNew = pageTokens();
  let page: ListOptions = pageSize === 0 ? whole : firstPage(whole, pageSize);
  for (;;) {
    let last: ListMeta = {};
    let isOther = false;
    let items = 0;
    try {
      for await (const part of listPage(page)) {
        const { metadata } = part;
        if (metadata) {
          last = metadata;
          onMetadata(metadata);
          isOther = listStateProblem(page as ListVersion, metadata.resourceVersion) === "other";
          if (isOther) {
            break;
          }
        }
        for (const item of part.items) {
          seen?.add(keyOf(item));
        }
        items += part.items.length;
        yield { items: part.items, endsPage: false };
      }
    } catch (error) {
      if (!isExpired(error)) {
        throw error;
      }
      if (page.continue === undefined) {
        if (page.resourceVersionMatch !== "NotOlderThan") {
          throw error;
        }
        // The newest state satisfies every NotOlderThan (RV27).
        page = { ...rest, limit: pageSize };
        continue;
      }
      if (onExpired === "inconsistent" && error.status?.metadata?.continue) {
        const newer = error.status.metadata.continue;
        assertNew(newer);
        page = { ...rest, limit: pageSize, continue: newer };
        continue;
      }
      if (seen === undefined) {
        throw lostPlace(error, onExpired);
      }
      // client-go's fall-back: everything at once, at the resourceVersion requested first. A server may still respond
      // in pages.
      const again = { ...options, pageSize: 0, onExpired: "fail" } as const;
      yield* unseen(walkPages(listPage, again, onMetadata), seen);
      return;
    }
    if (isOther) {
      if (page.limit || items > 0) {
        throw otherState(resourceVersion);
      }
      // A list without a limit may return another state; pages keep to the state more strictly (RV28).
      page = firstPage(whole, defaultPageSize);
      continue;
    }
    const next = last.continue || undefined;
    yield {
      items: [],
      endsPage: true,
      remaining: next === undefined ? 0 : last.remainingItemCount,
    };
    if (next === undefined) {
      return;
    }
    assertNew(next);
    // The token contains the resourceVersion; servers reject both together.
    page = { ...rest, limit: pageSize, continue: next };
  }
}

/**
 * Returns the options of the first page. Without a match, a resourceVersion means NotOlderThan for a whole list but
 * Exact for a page (RV12); here it always means NotOlderThan.
 */
function firstPage(whole: ListOptions, limit: number): ListOptions {
  const { resourceVersion, resourceVersionMatch } = whole;
  const isBare = resourceVersion && resourceVersion !== "0" && resourceVersionMatch === undefined;
  return isBare
    ? { ...whole, limit, resourceVersion, resourceVersionMatch: "NotOlderThan" }
    : { ...whole, limit };
}

async function* unseen(
  parts: AsyncIterable<PagePart<KubeObject>>,
  seen: ReadonlySet<string>,
): AsyncIterable<PagePart<KubeObject>> {
  for await (const part of parts) {
    yield { ...part, items: part.items.filter((item) => !seen.has(keyOf(item))) };
  }
}

function keyOf(item: KubeObject): string {
  const { namespace, name } = item.metadata ?? {};
  if (name === undefined) {
    throw new KubeError("Decode", "a list item has no metadata.name");
  }
  return `${namespace ?? ""}/${name}`;
}
