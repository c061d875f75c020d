import { isExpired, KubeError } from "@typekube/core";
import { type ListPart, linkAbort } from "@typekube/core/internal";
import type { KubeObject, ListMeta } from "./api-types.js";
import { assertIsOptions } from "./call-options.js";
import { versionedOptions } from "./consistency.js";
import { listStateProblem, otherState } from "./list-state.js";
import { lostPlace } from "./lost-place.js";
import type { ItemsOptions, ItemsProgress, ListOptions, ListVersion } from "./options.js";
import { pageTokens } from "./page-tokens.js";
import { checkedPrefetch, type PagePart, prefetchPages } from "./prefetch-pages.js";

/** Items per request where the caller says nothing; client-go's pager has the same. */
export const defaultPageSize = 500;

/** One list request; the pager's only need. */
export type ListPage = (options: ListOptions) => AsyncIterable<ListPart>;

/**
 * Walks over all items of a collection, page by page, each page decoded as it arrives. All pages show the state of the
 * first one, which `onMetadata` hears of.
 *
 * @throws {KubeError} `Expired` where the server does not show the exact state that was asked for; `InvalidArgument` for a `pageSize` or `prefetch` that is no whole number of 0 or more; `Decode` for pages that
 * do not move on.
 */
export async function* pageItems(
  listPage: ListPage,
  options: ItemsOptions,
  onMetadata: (metadata: ListMeta) => void = () => {},
): AsyncIterable<KubeObject> {
  assertIsOptions(options);
  const { prefetch = 0, onProgress, ...requested } = options;
  if (checkedPrefetch(prefetch) === 0) {
    yield* itemsOf(walkPages(listPage, requested, onMetadata), onProgress);
    return;
  }
  // What is read ahead ends with its reader.
  using abort = linkAbort(options.signal);
  const pages = walkPages(listPage, { ...requested, signal: abort.signal }, onMetadata);
  const ahead = prefetchPages(pages, prefetch, () => abort.abort(new Error("nobody reads on")));
  yield* itemsOf(ahead, onProgress);
}

async function* itemsOf(
  parts: AsyncIterable<PagePart<KubeObject>>,
  onProgress: ((progress: ItemsProgress) => void) | undefined,
): AsyncIterable<KubeObject> {
  let items = 0;
  for await (const part of parts) {
    items += part.items.length;
    // Not yield*: that would await each of them once more.
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
  if (!["fail", "inconsistent", "restart"].includes(onExpired)) {
    throw new KubeError("InvalidArgument", "onExpired: must be fail, inconsistent or restart");
  }
  const assertNew = pageTokens();
  let page: ListOptions = checkedPageSize(pageSize) === 0 ? whole : firstPage(whole, pageSize);
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
        // The newest state is not older than any (RV27).
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
      // client-go's fall-back: everything at once, at the version that was asked for first. A server may answer in pages all the same.
      const again = { ...options, pageSize: 0, onExpired: "fail" } as const;
      yield* unseen(walkPages(listPage, again, onMetadata), seen);
      return;
    }
    if (isOther) {
      if (page.limit || items > 0) {
        throw otherState(resourceVersion);
      }
      // A list without a limit may be answered otherwise; pages keep to the state more strictly (RV28).
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
    // The token carries the version; both together are refused.
    page = { ...rest, limit: pageSize, continue: next };
  }
}

function checkedPageSize(pageSize: number): number {
  if (!Number.isInteger(pageSize) || pageSize < 0) {
    throw new KubeError("InvalidArgument", "pageSize: must be a whole number of 0 or more", {
      hint: "0 means one request without a limit",
    });
  }
  return pageSize;
}

/** A version without a match means "not older" to a whole list but "exactly" to a page (RV12): here it means one thing. */
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
