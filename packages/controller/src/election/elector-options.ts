import { KubeError } from "@typekube/core";
import {
  assertOptions,
  type Clock,
  callback,
  flag,
  type OptionCheck,
  type OptionTable,
  object,
  oneOf,
  type Random,
  text,
} from "@typekube/core/internal";
import type { ElectionEvents, ElectionMetrics } from "./election-hooks.js";
import type { ElectorState } from "./elector-state.js";

/** Durations of an election, in milliseconds. */
export interface ElectionTimings {
  /** Time without a renewal after which others take the lease. Whole seconds: others read it from the lease. */
  readonly leaseDurationMs: number;
  /** Time without a successful renewal after which the leader stops leading. Shorter than the lease. */
  readonly renewDeadlineMs: number;
  /** Time between two renewals, and between two attempts to acquire. */
  readonly retryMs: number;
}

/** Named durations. */
export const electionPresets: Readonly<Record<"resilient" | "standard", ElectionTimings>> = {
  /** Those of client-go and controller-runtime. */
  standard: { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryMs: 2_000 },
  /** Those of OpenShift: the leader survives 60 seconds without an API server. (library-go `leaderelection.go`) */
  resilient: { leaseDurationMs: 137_000, renewDeadlineMs: 107_000, retryMs: 26_000 },
};

/** Jitter of the delay between two attempts to acquire: up to this fraction is added. (client-go `JitterFactor`) */
export const jitterFactor = 1.2;

/** Options of a coordinated election (KEP-4355): the API server chooses the leader among candidates. */
export interface CoordinatedElection {
  /** Version of this program, as a semantic version: `1.4.0`. */
  readonly binaryVersion: string;
  /** Version that this program emulates. Default: `binaryVersion`. The lowest one leads. */
  readonly emulationVersion?: string | undefined;
}

/** Options of {@link startElector}. */
export interface ElectorOptions extends Partial<ElectionTimings> {
  /** Name of the Lease, the same for all candidates. */
  readonly name: string;
  /** Namespace of the Lease. Default: that of the pod's service account. */
  readonly namespace?: string | undefined;
  /**
   * Identity of this candidate. It must be unique among all processes, also among the restarts of one; else each waits
   * for the other's lease to expire. Default: the host's name and a random UUID.
   */
  readonly identity?: string | undefined;
  /** Durations that are not given on their own. Default `standard`: 15, 10 and 2 seconds. */
  readonly preset?: keyof typeof electionPresets | undefined;
  /** Releases the lease on `close()`, so that another candidate leads at once. Default true. */
  readonly releaseOnStop?: boolean | undefined;
  /**
   * Takes a lease also when its `renewTime` is older than its duration and `maxSkewMs`: saves the wait after all
   * candidates crashed. Safe only while the clocks of all candidates differ by less than `maxSkewMs`. Default: off.
   */
  readonly trustRenewTime?: { readonly maxSkewMs: number } | undefined;
  /** Labels for the Lease. Labels of others are kept. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Lets the API server choose the leader; needs its feature gate CoordinatedLeaderElection. Default: off. */
  readonly coordinated?: CoordinatedElection | undefined;
  /** Called with the identity of each new leader, the first included. */
  readonly onLeader?: ((identity: string) => void) | undefined;
  /** Called with each new state. */
  readonly onState?: ((state: ElectorState) => void) | undefined;
  /** Called with failures, which the elector handles itself. Default: at most one process warning a minute. */
  readonly onError?: ((error: KubeError) => void) | undefined;
  /** Recorder of events on the Lease. Default: none. */
  readonly events?: ElectionEvents | undefined;
  readonly metrics?: ElectionMetrics | undefined;
  /** Default: the client's clock. */
  readonly clock?: Clock | undefined;
  /** Random numbers for jitter. Default `Math.random`. */
  readonly random?: Random | undefined;
}

const nonEmpty: OptionCheck = {
  mustBe: "a string that is not empty",
  isValid: (value) => typeof value === "string" && value !== "",
};

const duration: OptionCheck = {
  mustBe: "a finite number above 0",
  hint: "in milliseconds",
  isValid: (value) => typeof value === "number" && value > 0 && Number.isFinite(value),
};

const coordinatedElection: OptionTable<CoordinatedElection> = {
  binaryVersion: nonEmpty,
  emulationVersion: nonEmpty,
};

/** Names and checks of {@link ElectorOptions}. */
export const electorOptions: OptionTable<ElectorOptions> = {
  clock: object,
  coordinated: { call: "coordinated", table: coordinatedElection, prefix: "coordinated." },
  events: object,
  identity: nonEmpty,
  labels: object,
  leaseDurationMs: duration,
  metrics: object,
  name: nonEmpty,
  namespace: text,
  onError: callback,
  onLeader: callback,
  onState: callback,
  preset: oneOf(...Object.keys(electionPresets)),
  random: callback,
  releaseOnStop: flag,
  renewDeadlineMs: duration,
  retryMs: duration,
  trustRenewTime: {
    call: "trustRenewTime",
    table: {
      maxSkewMs: { ...duration, isValid: (value) => value === 0 || duration.isValid(value) },
    },
    prefix: "trustRenewTime.",
  },
};

/**
 * Rejects options with which an election could not work.
 *
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertElectorOptions(options: ElectorOptions): void {
  assertOptions("an elector", options, electorOptions);
  if (options.name === undefined) {
    throw new KubeError("InvalidArgument", "name: must be the name of the Lease");
  }
  if (options.trustRenewTime && options.trustRenewTime.maxSkewMs === undefined) {
    throw new KubeError("InvalidArgument", "trustRenewTime.maxSkewMs: must be set");
  }
  if (options.coordinated && options.coordinated.binaryVersion === undefined) {
    throw new KubeError("InvalidArgument", "coordinated.binaryVersion: must be set");
  }
  const { leaseDurationMs, renewDeadlineMs, retryMs } = timingsOf(options);
  if (leaseDurationMs <= renewDeadlineMs) {
    throw new KubeError(
      "InvalidArgument",
      `leaseDurationMs is ${leaseDurationMs}, but must be longer than renewDeadlineMs, ${renewDeadlineMs}`,
      { hint: "the leader must stop before others take its lease" },
    );
  }
  if (renewDeadlineMs <= retryMs * jitterFactor) {
    throw new KubeError(
      "InvalidArgument",
      `renewDeadlineMs is ${renewDeadlineMs}, but must be longer than ${jitterFactor} times retryMs, ${retryMs}`,
      { hint: "the leader must be able to repeat a renewal" },
    );
  }
}

/** Returns the durations of an election. */
export function timingsOf(options: ElectorOptions): ElectionTimings {
  const preset = electionPresets[options.preset ?? "standard"];
  return {
    leaseDurationMs: options.leaseDurationMs ?? preset.leaseDurationMs,
    renewDeadlineMs: options.renewDeadlineMs ?? preset.renewDeadlineMs,
    retryMs: options.retryMs ?? preset.retryMs,
  };
}
