import { KubeError } from "@typekube/core";
import {
  type AnyOptionTable,
  assertOptions,
  integerFrom,
  type OptionCheck,
  type OptionTable,
  oneOf,
} from "@typekube/core/internal";
import {
  assertElectorOptions,
  type ElectionTimings,
  type ElectorOptions,
  electorOptions,
  timingsOf,
} from "../election/elector-options.js";
import type { ShardField, ShardLayout } from "./shard-layout.js";

/**
 * Options of sharding: how the objects are divided, and how replicas agree on who reconciles which.
 *
 * Each replica caches and reconciles the objects of its shards, and `run.list` of the controller's own kind returns only
 * these; all other kinds are cached whole, and a change of a child runs its owner wherever the owner's shard is held.
 * Keys without a cached object are ignored, except for the last run of one that was deleted. When a shard moves, its
 * objects run at once in the new replica with priority -100: failures that were counted, back-off and `requeueAfterMs`
 * are lost. A shard is an object's, not a name's: of an object that is deleted and created again under its name, the last
 * run and the first one may overlap in two replicas, with `by: "namespace"` they never do.
 *
 * A replica that stops or gets too many shards hands them over one after the other, when their runs have ended. Those of
 * one that dies are taken when its Leases have expired. Three replicas with twelve shards make 7.5 requests a second.
 */
export interface ShardsOptions
  extends Partial<ElectionTimings>,
    Pick<ElectorOptions, "identity" | "namespace" | "preset"> {
  /**
   * Number of shards: a small multiple of the largest number of replicas, such as 12. Replicas with another number wait
   * until all of the old number have stopped.
   */
  readonly count: number;
  /**
   * Begins the names of all Leases: `<name>-member-<identity>`, `<name>-shard-<index>` and `<name>-shards`. Default: the
   * names of the controllers, joined by dashes.
   */
  readonly name?: string | undefined;
  /**
   * Field that divides the objects. Default `uid`, which distributes evenly; `namespace` keeps the objects of a
   * namespace together.
   */
  readonly by?: ShardField | undefined;
}

/** Options of sharding with all defaults filled in, except for what depends on the process. */
export interface ShardsSettings extends ElectionTimings, ShardLayout {
  readonly name: string;
  /** Default: that of the pod's service account. */
  readonly namespace: string | undefined;
  readonly identity: string | undefined;
}

/** Longest name: the names of Leases, and the value of a label, are made of it. */
const maxNameCharacters = 63;

const nameText: OptionCheck = {
  mustBe: `a name of at most ${maxNameCharacters} lowercase letters, digits and dashes`,
  isValid: (value) =>
    typeof value === "string" &&
    value.length <= maxNameCharacters &&
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(value),
};

const identityText: OptionCheck = {
  mustBe: "a name of lowercase letters, digits, dots and dashes",
  hint: "it becomes a part of the name of a Lease",
  isValid: (value) =>
    typeof value === "string" &&
    /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(value) &&
    value.length < 180,
};

const { namespace, preset, leaseDurationMs, renewDeadlineMs, retryMs } = electorOptions;

/** Names and checks of {@link ShardsOptions}. */
export const shardsOptions: OptionTable<ShardsOptions> = {
  by: oneOf("namespace", "uid"),
  count: integerFrom(1),
  identity: identityText,
  leaseDurationMs,
  name: nameText,
  namespace,
  preset,
  renewDeadlineMs,
  retryMs,
} satisfies AnyOptionTable;

/**
 * Fills in the defaults.
 *
 * @param controllers - names of the controllers.
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function shardsSettings(
  given: ShardsOptions | number,
  controllers: readonly string[],
): ShardsSettings {
  const options = typeof given === "number" ? { count: given } : given;
  assertOptions("shards", options, shardsOptions, "shards.");
  if (options.count === undefined) {
    throw new KubeError("InvalidArgument", "shards.count: must be set");
  }
  const name = options.name ?? controllers.join("-");
  if (!nameText.isValid(name)) {
    throw new KubeError("InvalidArgument", `shards.name: must be ${nameText.mustBe}`, {
      hint: "without it, the names of the controllers are joined by dashes",
    });
  }
  const { by = "uid", count, identity, namespace: place } = options;
  const timings = timingsOf({ ...options, name });
  assertElectorOptions({ name, ...timings });
  return { ...timings, name, count, by, identity, namespace: place };
}
