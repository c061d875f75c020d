import type { KubeError } from "@typekube/core";
import type { CallScope } from "@typekube/core/internal";

/** Guards the requests of a leader: none may start once another process could hold the lease. */
export interface Fence {
  /** `true` while requests may start. */
  readonly isHeld: boolean;
  /**
   * `leaseTransitions` of the lease: grows with each new holder, as long as nobody deletes the lease. Systems outside of
   * Kubernetes can use it to reject the requests of former leaders.
   */
  readonly token: number;
  /**
   * Checks the time that has passed since the last successful renewal was sent, whether or not a timer has fired.
   *
   * @throws {KubeError} `LeadershipLost` from the renew deadline on.
   */
  assertHeld(): void;
  /** Returns the milliseconds until the renew deadline; 0 when the leadership is over. */
  leftMs(): number;
  /** Returns the milliseconds until another process may take the lease; 0 when it may have done so. */
  leaseLeftMs(): number;
  /**
   * Returns a scope for the calls of this leader: each attempt checks the fence before it starts and before its bytes
   * are sent, and lasts no longer than the lease.
   */
  scope(): Pick<CallScope, "beforeAttempt" | "beforeSend" | "maxAttemptMs" | "signal">;
}

/** One period of leadership. */
export interface Leadership {
  /** Aborts with a KubeError `LeadershipLost` when the leadership ends, also when it was released. */
  readonly signal: AbortSignal;
  /** Resolves with the reason when the lease is lost. Stays pending when it was released. */
  readonly lost: Promise<KubeError>;
  readonly fence: Fence;
}
