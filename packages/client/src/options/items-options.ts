import { integerFrom, type OptionTable, oneOf } from "@typekube/core/internal";
import type { AnyFieldsOption } from "./fields-option.js";
import { type ListBaseOptions, listOptions } from "./list-options.js";
import type { ListState } from "./read-state.js";

interface ItemsBaseOptions extends Omit<ListBaseOptions, "continue" | "limit"> {
  /** Items per request. Default 500, as in client-go's pager; 0 requests all items at once. */
  readonly pageSize?: number | undefined;
  /**
   * Behaviour when the continue token expires between two pages. `fail` (default) fails with `Expired`. `restart`
   * requests everything in one unlimited list and yields the items whose names were not yielded before. `inconsistent`
   * continues with the token that the server offers: the remaining items are newer than those before.
   */
  readonly onExpired?: "fail" | "inconsistent" | "restart" | undefined;
  /**
   * Number of pages to read ahead and buffer while the current page is consumed. Default 0: each page is requested once
   * the previous one is used up, and its items are yielded as their bytes arrive. Ending the iteration cancels the
   * requests.
   */
  readonly prefetch?: number | undefined;
  /** Called after each page with the progress of the walk. */
  readonly onProgress?: ((progress: ItemsProgress) => void) | undefined;
}

/** Progress of a walk over all items. */
export interface ItemsProgress {
  /** Items yielded so far. */
  readonly items: number;
  /** Remaining items by the server's estimate, 0 at the end. With a selector the server gives no estimate. */
  readonly remaining: number | undefined;
}

/** Options of a walk over all items, page by page. */
export type ItemsOptions = ItemsBaseOptions & ListState;

const { continue: _token, limit: _limit, ...listed } = listOptions;

/** Names and checks of {@link ItemsOptions}. */
export const itemsOptions: OptionTable<ItemsOptions & AnyFieldsOption> = {
  ...listed,
  onExpired: oneOf("fail", "inconsistent", "restart"),
  onProgress: true,
  pageSize: { ...integerFrom(0), hint: "0 means one request without a limit" },
  prefetch: integerFrom(0),
};
