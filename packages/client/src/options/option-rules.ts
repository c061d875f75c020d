import { KubeError } from "@typekube/core";
import { assertKnownOptions } from "@typekube/core/internal";
import { assertIsOptions } from "./assert-call-options.js";

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
    isBroken: (o) => o.limit !== undefined && (!Number.isInteger(o.limit) || o.limit < 0),
    reason: "limit: must be an integer of at least 0",
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
      o.timeoutSeconds !== undefined &&
      (!Number.isInteger(o.timeoutSeconds) || o.timeoutSeconds < 0),
    reason: "timeoutSeconds: must be an integer of at least 0",
  },
  {
    verbs: "any",
    isBroken: (o) => o.fieldManager !== undefined && !isFieldManager(o.fieldManager),
    reason: "fieldManager: must be 1 to 128 bytes of printable characters",
  },
  {
    verbs: "any",
    isBroken: (o) =>
      o.gracePeriodSeconds !== undefined &&
      (!Number.isInteger(o.gracePeriodSeconds) || o.gracePeriodSeconds < 0),
    reason: "gracePeriodSeconds: must be an integer of at least 0",
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

/** Returns true for characters that Go's unicode.IsPrint accepts, in at most 128 bytes. */
function isFieldManager(text: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) && Buffer.byteLength(text) <= 128;
}

/**
 * Rejects options that the server would reject.
 *
 * @throws {KubeError} `InvalidArgument` with the API's own reason.
 */
export function assertOptions(verb: "list" | "watch" | "write", options: RuledOptions): void {
  assertIsOptions(options);
  const broken = rules.find(
    (rule) => (rule.verbs === "any" || rule.verbs === verb) && rule.isBroken(options),
  );
  if (broken) {
    throw new KubeError("InvalidArgument", broken.reason);
  }
  // A misspelled precondition would have no effect.
  assertKnownOptions("preconditions", options.preconditions ?? {}, ofPreconditions);
}

const ofPreconditions = { resourceVersion: true, uid: true };
