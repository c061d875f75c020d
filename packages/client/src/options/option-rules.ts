import { KubeError } from "@typekube/core";
import { assertOptionValues } from "@typekube/core/internal";
import { assertIsOptions } from "./call-options.js";
import { deleteOptions } from "./delete-options.js";
import { listOptions } from "./list-options.js";
import { writeOptions } from "./write-options.js";

/** The query options that the rules check. */
export interface RuledOptions {
  readonly allowWatchBookmarks?: boolean | undefined;
  readonly continue?: string | undefined;
  readonly dryRun?: string | undefined;
  readonly fieldManager?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly preconditions?: object | undefined;
  readonly propagationPolicy?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
  readonly sendInitialEvents?: boolean | undefined;
  readonly timeoutSeconds?: number | undefined;
}

interface Rule {
  /** The verbs that the rule applies to. */
  readonly verbs: "any" | "list" | "watch";
  readonly isBroken: (options: RuledOptions) => boolean;
  /** The invalid option and the API's reason. */
  readonly reason: string;
}

/**
 * Combinations of options that the API rejects (apimachinery `internalversion/validation`). Callers get the error
 * before anything is sent; where possible the types exclude the same combinations.
 */
const rules: readonly Rule[] = [
  {
    verbs: "list",
    isBroken: (o) => o.sendInitialEvents !== undefined,
    reason: "sendInitialEvents: forbidden for list",
  },
  {
    verbs: "list",
    isBroken: (o) => o.resourceVersionMatch !== undefined && !o.resourceVersion,
    reason: "resourceVersionMatch: forbidden unless resourceVersion is provided",
  },
  {
    verbs: "list",
    isBroken: (o) => o.resourceVersionMatch !== undefined && Boolean(o.continue),
    reason: "resourceVersionMatch: forbidden when continue is provided",
  },
  {
    verbs: "list",
    isBroken: (o) => Boolean(o.continue) && Boolean(o.resourceVersion) && o.resourceVersion !== "0",
    reason: "resourceVersion: specifying resource version is not allowed when using continue",
  },
  {
    verbs: "list",
    isBroken: (o) => o.resourceVersionMatch === "Exact" && o.resourceVersion === "0",
    reason: 'resourceVersionMatch: "exact" is forbidden for resourceVersion "0"',
  },
  {
    verbs: "list",
    isBroken: (o) => o.ignoreStoreReadErrorWithClusterBreakingPotential === true,
    reason:
      "ignoreStoreReadErrorWithClusterBreakingPotential: is not allowed with DELETECOLLECTION, try again after removing the option",
  },
  {
    verbs: "watch",
    isBroken: (o) => o.sendInitialEvents === true && o.resourceVersionMatch !== "NotOlderThan",
    reason:
      'resourceVersionMatch: sendInitialEvents requires setting resourceVersionMatch to "NotOlderThan"',
  },
  {
    verbs: "watch",
    isBroken: (o) => o.sendInitialEvents === true && o.allowWatchBookmarks === false,
    reason:
      "allowWatchBookmarks: must not be false with sendInitialEvents: a bookmark marks the end of the initial events",
  },
  {
    verbs: "watch",
    isBroken: (o) => o.sendInitialEvents !== true && o.resourceVersionMatch !== undefined,
    reason: "resourceVersionMatch: forbidden for watch unless sendInitialEvents is provided",
  },
  {
    verbs: "watch",
    isBroken: (o) => o.limit !== undefined,
    reason: "limit: not supported for watch",
  },
  {
    verbs: "any",
    isBroken: (o) =>
      o.ignoreStoreReadErrorWithClusterBreakingPotential === true &&
      [o.dryRun, o.gracePeriodSeconds, o.preconditions, o.propagationPolicy].some(
        (other) => other !== undefined,
      ),
    reason:
      "ignoreStoreReadErrorWithClusterBreakingPotential: cannot be set together with dryRun, gracePeriodSeconds, preconditions or propagationPolicy",
  },
];

/** Options whose values the API rejects on their own, in any combination. */
const values = {
  dryRun: writeOptions.dryRun,
  fieldManager: writeOptions.fieldManager,
  gracePeriodSeconds: deleteOptions.gracePeriodSeconds,
  limit: listOptions.limit,
  preconditions: deleteOptions.preconditions,
  timeoutSeconds: listOptions.timeoutSeconds,
};

/**
 * Rejects options that the server would reject.
 *
 * @throws {KubeError} `InvalidArgument` with the API's own reason.
 */
export function assertOptionRules(verb: "list" | "watch" | "write", options: RuledOptions): void {
  assertIsOptions(options);
  const broken = rules.find(
    (rule) => (rule.verbs === "any" || rule.verbs === verb) && rule.isBroken(options),
  );
  if (broken) {
    throw new KubeError("InvalidArgument", broken.reason);
  }
  assertOptionValues(options, values);
}
