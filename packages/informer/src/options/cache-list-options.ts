import { assertIsOptions, assertNamespaceOption } from "@typekube/client/internal";
import type { LabelSelectorInput } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";

/** Options that choose objects of a cache. */
export interface CacheListOptions {
  /** Default: all namespaces. An explicit `undefined` is rejected. */
  readonly namespace?: string;
  /** Selects objects by their labels. Default: all objects. */
  readonly labelSelector?: LabelSelectorInput | undefined;
}

const cacheListOptions: OptionTable<CacheListOptions> = {
  labelSelector: true,
  namespace: {
    mustBe: "a name",
    hint: "omit namespace to list the objects of all namespaces",
    isValid: (value) => typeof value === "string" && value !== "",
  },
};

/**
 * Rejects unknown options of a list of cached objects, and an invalid namespace, which would contain nothing.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertCacheListOptions(options: CacheListOptions): void {
  const call = "a list of cached objects";
  assertIsOptions(options);
  assertOptions(call, options, cacheListOptions);
  assertNamespaceOption(call, options);
}
