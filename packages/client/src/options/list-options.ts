import { integerFrom, type OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";
import { type AnyFieldsOption, fieldsCheck } from "./fields-option.js";
import type { ListState } from "./read-state.js";
import { type SelectorOptions, selectorOptions } from "./selector-options.js";

/** Options of a list other than the state to read. */
export interface ListBaseOptions extends EncodingOptions, SelectorOptions {
  /** Maximum number of items. `metadata.continue` of the response leads to the next page. */
  readonly limit?: number | undefined;
  /** Continue token of the previous page. */
  readonly continue?: string | undefined;
  /** Seconds after which the server abandons the request. */
  readonly timeoutSeconds?: number | undefined;
  /** Keeps `metadata.managedFields`. Default true. */
  readonly managedFields?: boolean | undefined;
  /**
   * Shares equal parts between objects, and freezes them: half the memory for caches of many objects that nobody
   * modifies. Works for protobuf and JSON. Default false.
   */
  readonly shareEqual?: boolean | undefined;
}

/** Options of one list request. */
export type ListOptions = ListBaseOptions & ListState;

/** Names and checks of {@link ListOptions}. */
export const listOptions: OptionTable<ListOptions & AnyFieldsOption> = {
  ...encodingOptions,
  ...selectorOptions,
  consistency: true,
  continue: true,
  fields: fieldsCheck,
  limit: integerFrom(0),
  managedFields: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  shareEqual: true,
  timeoutSeconds: integerFrom(0),
};
