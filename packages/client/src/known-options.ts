import { KubeError } from "@typekube/core";
import type { DeleteCollectionOptions } from "./options.js";

const ofDeleteCollection: Readonly<Record<keyof DeleteCollectionOptions, true>> = {
  continue: true,
  dryRun: true,
  encoding: true,
  fieldSelector: true,
  gracePeriodSeconds: true,
  ignoreStoreReadErrorWithClusterBreakingPotential: true,
  impersonate: true,
  labelSelector: true,
  limit: true,
  onWarning: true,
  preconditions: true,
  propagationPolicy: true,
  resourceVersion: true,
  resourceVersionMatch: true,
  shardSelector: true,
  signal: true,
  timeoutMs: true,
  timeoutSeconds: true,
};

/**
 * Refuses an option that a deleteCollection does not have. Elsewhere one too many does no harm; here a selector that is
 * misspelt would select everything.
 *
 * @throws {KubeError} `InvalidArgument` that names it.
 */
export function assertDeleteCollectionOptions(options: DeleteCollectionOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(ofDeleteCollection, name)) {
      throw new KubeError("InvalidArgument", `a deleteCollection has no option "${name}"`, {
        hint: `its options are ${Object.keys(ofDeleteCollection).join(", ")}`,
      });
    }
  }
}
