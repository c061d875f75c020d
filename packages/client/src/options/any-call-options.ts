import {
  type AnyOptionTable,
  assertKnownOptions,
  assertOptionValues,
} from "@typekube/core/internal";
import { applyAndPruneOptions, applySet, diffOptions } from "./apply-set-options.js";
import { deleteCollectionOptions } from "./delete-options.js";
import { getOptions } from "./get-options.js";
import { itemsOptions } from "./items-options.js";
import { listOptions } from "./list-options.js";
import { applyAllOptions, deleteAllOptions } from "./manifest-options.js";
import { tableListOptions } from "./table-options.js";
import { watchOptions } from "./watch-options.js";
import { applyOptions, createOptions, modifyOrCreateOptions } from "./write-options.js";

/** The options of all calls. Only their names are used: each call checks most values of its own options. */
export const anyCallOptions: AnyOptionTable = {
  ...applyAllOptions,
  ...applyAndPruneOptions,
  ...applyOptions,
  ...createOptions,
  ...deleteAllOptions,
  ...deleteCollectionOptions,
  ...diffOptions,
  ...getOptions,
  ...itemsOptions,
  ...listOptions,
  ...modifyOrCreateOptions,
  ...tableListOptions,
  ...watchOptions,
};

/** Options whose values every call checks, before the reads that may come before a write. */
const everywhere: AnyOptionTable = { applySet, dryRun: applyOptions.dryRun };

/**
 * Rejects an option that no call has, and an invalid `dryRun`. Options of other calls are accepted, so that one options
 * object may serve several calls.
 *
 * @throws {KubeError} `InvalidArgument` naming the option.
 */
export function assertCallOptionNames(options: object): void {
  assertKnownOptions("a call", options, anyCallOptions);
  assertOptionValues(options, everywhere);
}
