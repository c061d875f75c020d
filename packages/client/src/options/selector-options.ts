import type { FieldSelectorInput, LabelSelectorInput } from "@typekube/core";
import type { OptionTable } from "@typekube/core/internal";

/** Selects objects of a collection. */
export interface SelectorOptions {
  /** Selects objects by their labels: `app=web`, `{ app: "web" }`, or a selector object. Default: all objects. */
  readonly labelSelector?: LabelSelectorInput | undefined;
  /**
   * Selects objects by fields: `status.phase=Running` or `{ "status.phase": "Running" }`. The server supports few
   * fields of each kind. Default: all objects.
   */
  readonly fieldSelector?: FieldSelectorInput | undefined;
  /** Selects the objects of one shard (1.36, alpha). Servers without the feature ignore it. */
  readonly shardSelector?: string | undefined;
}

/** Names of {@link SelectorOptions}; the values are checked when the query is built. */
export const selectorOptions: OptionTable<SelectorOptions> = {
  fieldSelector: true,
  labelSelector: true,
  shardSelector: true,
};
