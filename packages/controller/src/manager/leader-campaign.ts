import type { ClientCore } from "@typekube/client";
import type { KubeError } from "@typekube/core";
import type { CallScope, Clock, Random } from "@typekube/core/internal";
import type { Elector } from "../election/elector.js";
import type { ElectorOptions } from "../election/elector-options.js";
import type { Leadership } from "../election/leadership.js";
import { startElector } from "../election/start-elector.js";
import type { ElectionHooks } from "./election-hooks.js";
import type { LeaderElectionOptions } from "./manager-options.js";

/** Milliseconds before the end of the lease at which the manager has ended, whatever still runs. */
const marginMs = 1_000;

/** Parts of a {@link LeaderCampaign}. */
export interface CampaignParts extends ElectionHooks {
  readonly client: ClientCore;
  readonly options: LeaderElectionOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: KubeError) => void;
  /** Begins the work of the leader. */
  lead(): Promise<void> | void;
  /** Ends the work of the leader; resolves when all of it has ended. */
  resign(reason: KubeError): Promise<void>;
  /**
   * Called when the lease was lost for good.
   *
   * @param leftMs - milliseconds until another process may work.
   */
  lost(error: KubeError, leftMs: number): void;
}

/** One candidate's way through elections: leads, loses, and tries again if it may. */
export class LeaderCampaign {
  readonly elector: Elector;
  readonly #parts: CampaignParts;
  readonly #stop = new AbortController();
  #leadership: Leadership | undefined;
  #running: Promise<void> | undefined;

  private constructor(parts: CampaignParts, elector: Elector) {
    this.#parts = parts;
    this.elector = elector;
  }

  /**
   * Becomes a candidate.
   *
   * @throws {KubeError} `InvalidArgument` for invalid options of the election.
   */
  static async begin(parts: CampaignParts): Promise<LeaderCampaign> {
    const { client, options, clock, random, onError, events, metrics } = parts;
    const shared = { ...electionOf(options), clock, random, onError, events, metrics };
    return new LeaderCampaign(parts, await startElector(client, shared));
  }

  /** Leads whenever the election is won. */
  start(): void {
    this.#running = this.#run();
  }

  /** The scope that fences the calls of the leader; `undefined` before it leads. */
  get fence(): Pick<CallScope, "beforeAttempt" | "beforeSend" | "maxAttemptMs"> | undefined {
    return this.#leadership?.fence.scope();
  }

  /**
   * Ends the candidacy.
   *
   * @param isIdle - `false` when work of the leader still runs: the lease is then left to expire.
   */
  async close(isIdle: boolean): Promise<void> {
    this.#stop.abort();
    await this.elector.close(isIdle ? {} : { release: false });
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { lead, resign, lost, options } = this.#parts;
    while (!signal.aborted) {
      try {
        this.#leadership = await this.elector.acquired(signal);
      } catch {
        // Only the end of the manager ends this wait.
        return;
      }
      const { lost: ended, fence } = this.#leadership;
      await lead.call(this.#parts);
      const error = await Promise.race([ended, stopped(signal)]);
      if (error === undefined) {
        return;
      }
      if (options.onLost !== "rejoin") {
        lost.call(this.#parts, error, Math.max(0, fence.leaseLeftMs() - marginMs));
        return;
      }
      await resign.call(this.#parts, error);
      if (!signal.aborted) {
        this.elector.rejoin();
      }
    }
  }
}

/** Returns the options of the Lease among those of the manager's election. */
export function electionOf(options: LeaderElectionOptions): ElectorOptions {
  const { onLost: _, warm: __, ...election } = options;
  return election;
}

function stopped(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
    } else {
      signal.addEventListener("abort", () => resolve(undefined), { once: true });
    }
  });
}
