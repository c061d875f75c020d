import type { ItemsOptions } from "../options/items-options.js";
import type { KubeObject, ListMeta, Live } from "../types/api-types.js";
import { type ListPage, pageItems } from "./pager.js";

/**
 * Iterates over all items of a collection, page by page, and holds the metadata of their list. Each iteration sends new
 * requests.
 *
 * @example
 * ```ts
 * const walk = pods.items();
 * for await (const pod of walk) console.log(pod.metadata.name);
 * for await (const event of pods.watch({ resourceVersion: walk.resourceVersion })) console.log(event.type);
 * ```
 */
export interface ItemWalk<T extends KubeObject> extends AsyncIterable<Live<T>> {
  /**
   * Metadata of the latest page of the latest iteration. Known with the first item, or at the end of an empty
   * collection.
   */
  readonly metadata: ListMeta | undefined;
  /**
   * The resourceVersion of the state that all pages show: a watch from here misses nothing. After a page expired, with
   * `onExpired: "inconsistent"` or `"restart"`, it is the resourceVersion of the newer rest. Items yielded before that
   * may have changed or been deleted, which is not reported.
   */
  readonly resourceVersion: string | undefined;
}

/** Creates a walk over the pages that `listPage` returns. */
export function itemWalk(listPage: ListPage, options: ItemsOptions): ItemWalk<KubeObject> {
  return new PagedWalk(listPage, options);
}

class PagedWalk implements ItemWalk<KubeObject> {
  readonly #listPage: ListPage;
  readonly #options: ItemsOptions;
  #metadata: ListMeta | undefined;

  constructor(listPage: ListPage, options: ItemsOptions) {
    this.#listPage = listPage;
    this.#options = options;
  }

  get metadata(): ListMeta | undefined {
    return this.#metadata;
  }

  get resourceVersion(): string | undefined {
    return this.#metadata?.resourceVersion;
  }

  [Symbol.asyncIterator](): AsyncIterator<Live<KubeObject>> {
    this.#metadata = undefined;
    const items = pageItems(this.#listPage, this.#options, (of) => {
      this.#metadata = of;
    });
    return items[Symbol.asyncIterator]() as AsyncIterator<Live<KubeObject>>;
  }
}
