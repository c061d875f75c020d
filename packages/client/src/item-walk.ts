import type { KubeObject, ListMeta, Live } from "./api-types.js";
import type { ItemsOptions } from "./options.js";
import { type ListPage, pageItems } from "./pager.js";

/**
 * All items of a collection, page by page, and what is known of the list that they stand in. Each iteration asks anew.
 *
 * @example
 * const walk = pods.items();
 * for await (const pod of walk) console.log(pod.metadata.name);
 * for await (const event of pods.watch({ resourceVersion: walk.resourceVersion })) console.log(event.type);
 */
export interface ItemWalk<T extends KubeObject> extends AsyncIterable<Live<T>> {
  /**
   * The metadata of the newest page of the newest iteration; known with its first item, or at its end when there is none.
   */
  readonly metadata: ListMeta | undefined;
  /**
   * The version of the state that all pages show: a watch from here misses nothing. After a page has expired, with
   * `onExpired: "inconsistent"` or `"restart"`, it is the version of the newer rest, and what became of the items that came before
   * is not told: they may have changed, or be gone.
   */
  readonly resourceVersion: string | undefined;
}

/** A walk over everything that `listPage` pages through. */
export function itemWalk(listPage: ListPage, options: ItemsOptions): ItemWalk<KubeObject> {
  let metadata: ListMeta | undefined;
  return {
    get metadata() {
      return metadata;
    },
    get resourceVersion() {
      return metadata?.resourceVersion;
    },
    [Symbol.asyncIterator]() {
      metadata = undefined;
      const items = pageItems(listPage, options, (of) => {
        metadata = of;
      });
      return items[Symbol.asyncIterator]() as AsyncIterator<Live<KubeObject>>;
    },
  };
}
