import type { KubeObject, ResourceDescriptor } from "@typekube/api";
import type { KindReference, SelectorOptions } from "@typekube/client";
import {
  type AnyFieldsOption,
  assertIsOptions,
  assertNamespaceOption,
  assertResource,
} from "@typekube/client/internal";
import {
  formatFieldSelector,
  formatLabelSelector,
  parseFieldSelector,
  parseLabelSelector,
} from "@typekube/core";
import { assertOptions, type OptionTable, projectionOf } from "@typekube/core/internal";
import { assertIndexFunction } from "../store/index-table.js";
import { type FollowOptions, followOptions } from "./follow-options.js";
import { type InformerOptions, informerOptions } from "./informer-options.js";
import { type ProjectionOptions, projectionOptions } from "./projection-options.js";
import { type UntilOptions, untilOnly } from "./until-options.js";
import { type WatchFromOptions, watchFromOnly } from "./watch-from-options.js";

type WatchingOptions =
  | FollowOptions
  | InformerOptions<KubeObject>
  | UntilOptions
  | WatchFromOptions;

const watchingOptions: OptionTable<WatchingOptions & ProjectionOptions> = {
  ...projectionOptions,
  ...followOptions,
  ...informerOptions,
  ...untilOnly,
  ...watchFromOnly,
};

/**
 * Rejects an invalid resource, options that no watching function has, and unusable values. Options of another watching
 * function are accepted: one options object may serve several.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertWatching(
  who: string,
  type: KindReference | ResourceDescriptor,
  options: SelectorOptions &
    AnyFieldsOption & { readonly indexes?: object | undefined; readonly namespace?: string },
): void {
  assertResource(type);
  assertIsOptions(options);
  assertOptions(who, options, watchingOptions);
  assertNamespaceOption(who, options);
  const { fields, fieldSelector, indexes, labelSelector } = options;
  if (fields !== undefined) {
    projectionOf(fields);
  }
  for (const [name, valuesOf] of Object.entries(indexes ?? {})) {
    assertIndexFunction(`indexes.${name}`, valuesOf);
  }
  if (labelSelector !== undefined) {
    parseLabelSelector(formatLabelSelector(labelSelector));
  }
  if (fieldSelector !== undefined) {
    parseFieldSelector(formatFieldSelector(fieldSelector));
  }
}
