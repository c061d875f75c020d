import type { KubeError } from "@typekube/core";
import type { ElectorState } from "./elector-state.js";
import type { Leadership } from "./leadership.js";

/** A candidate in an election that is held on a Lease. Created by `startElector`. */
export interface Elector extends AsyncDisposable {
  /** Identity of this candidate. */
  readonly identity: string;
  /** The current state, a visible state machine. */
  readonly state: ElectorState;
  /** Identity of the holder that was seen last; `undefined` when the lease is free or was not seen yet. */
  readonly leader: string | undefined;
  /** `true` when some leader was seen to hold the lease within the last two lease durations. */
  readonly isLeaderKnown: boolean;
  /**
   * Waits until this candidate leads. Resolves at once when it does.
   *
   * @throws {KubeError} `LeadershipLost` in the states `lost` and `released`; `Closed` when the elector is closed.
   * @throws the signal's reason when it aborts first.
   */
  acquired(signal?: AbortSignal): Promise<Leadership>;
  /**
   * Returns an error when this elector believes to lead although its lease expired more than `toleranceMs` ago, as in a
   * program that hangs. `undefined` otherwise, also for followers.
   *
   * @param toleranceMs - default 20,000, that of the Kubernetes components.
   */
  health(toleranceMs?: number): KubeError | undefined;
  /**
   * Releases the lease, so that another candidate leads at once. End the work of the leader first: the fence closes, and
   * another process may start its own. Takes at most the renew deadline.
   *
   * @returns `true` when the lease was released; `false` when this candidate did not lead, or the server did not accept it.
   */
  release(): Promise<boolean>;
  /** Becomes a candidate again after the lease was lost or released. End the work of the former leader first. */
  rejoin(): void;
  /**
   * Stops. Releases the lease first if this candidate leads; with `release: false` others wait for its end, for the case
   * that work of the leader still runs.
   *
   * @param options - `release` is by default the option `releaseOnStop`.
   */
  close(options?: { readonly release?: boolean | undefined }): Promise<void>;
}
