import { isExpired, KubeError, type ListPart } from "@typekube/core";
import type { KubeObject, ListMeta } from "./api-types.js";
import type { ItemsOptions, ListOptions } from "./options.js";

/** Items per request where the caller says nothing; client-go's pager has the same. */
export const defaultPageSize = 500;

/** One list request; the pager's only need. */
export type ListPage = (options: ListOptions) => AsyncIterable<ListPart>;

/**
 * Walks over all items of a collection, page by page, each page decoded as it arrives. All pages show the state of the
 * first one, which `onMetadata` hears of.
 */
export async function* pageItems(
  listPage: ListPage,
  options: ItemsOptions,
  onMetadata: (metadata: ListMeta) => void = () => {},
): AsyncIterable<KubeObject> {
  const {
    pageSize = defaultPageSize,
    onExpired = "fail",
    resourceVersion,
    resourceVersionMatch,
    ...rest
  } = options;
  const first = { ...rest, resourceVersion, resourceVersionMatch } as ListOptions;
  const seen = onExpired === "restart" ? new Set<string>() : undefined;
  let page: ListOptions = pageSize === 0 ? first : { ...first, limit: pageSize };
  for (;;) {
    let next: string | undefined;
    try {
      for await (const part of listPage(page)) {
        if (part.metadata) {
          next = part.metadata.continue || undefined;
          onMetadata(part.metadata);
        }
        for (const item of part.items) {
          seen?.add(keyOf(item));
          yield item;
        }
      }
    } catch (error) {
      if (!isExpired(error) || page.continue === undefined) {
        throw error;
      }
      if (onExpired === "inconsistent" && error.status?.metadata?.continue) {
        page = { ...rest, limit: pageSize, continue: error.status.metadata.continue };
        continue;
      }
      if (seen === undefined) {
        throw error;
      }
      // client-go's fall-back: everything at once, at the version that was asked for first.
      yield* unseen(listPage(first), seen);
      return;
    }
    if (next === undefined) {
      return;
    }
    // The token carries the version; both together are refused.
    page = { ...rest, limit: pageSize, continue: next };
  }
}

async function* unseen(
  parts: AsyncIterable<ListPart>,
  seen: ReadonlySet<string>,
): AsyncIterable<KubeObject> {
  for await (const part of parts) {
    for (const item of part.items) {
      if (!seen.has(keyOf(item))) {
        yield item;
      }
    }
  }
}

function keyOf(item: KubeObject): string {
  const { namespace, name } = item.metadata ?? {};
  if (name === undefined) {
    throw new KubeError("Decode", "a list item has no metadata.name");
  }
  return `${namespace ?? ""}/${name}`;
}
