import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { KubeError } from "@typekube/core";
import { type Clock, monotonicNow, sleep, withoutCallScope } from "@typekube/core/internal";
import { acquireLease, type Candidacy, mayTake, type WrittenLease } from "./acquire-lease.js";
import { Bell } from "./bell.js";
import { Claims } from "./claims.js";
import type { Elector } from "./elector.js";
import { jitterFactor } from "./elector-options.js";
import type { ElectorSettings } from "./elector-settings.js";
import type { ElectorState } from "./elector-state.js";
import { KnownLeader } from "./known-leader.js";
import { LeaderWaits } from "./leader-waits.js";
import type { Leadership } from "./leadership.js";
import { asElection, type ObjectStore, type WatchedObject } from "./object-store.js";
import { isOlder, Observation } from "./observation.js";
import { PassedTime } from "./passed-time.js";
import { releaseLease } from "./release-lease.js";
import { isLossLikely, type RenewSettings, renewLease } from "./renew-lease.js";
import { Term } from "./term.js";

/** Tolerance of the health check of Kubernetes components, in milliseconds. */
const defaultToleranceMs = 20_000;

/** The elector: one loop that acquires and renews the lease, and a watch of the lease that wakes the loop. */
export class LeaseElector implements Elector {
  readonly #settings: ElectorSettings;
  readonly #clock: Clock;
  readonly #time: PassedTime;
  readonly #candidacy: Candidacy;
  readonly #renewing: RenewSettings;
  readonly #observation: Observation;
  readonly #known: KnownLeader;
  readonly #bell: Bell;
  readonly #waits = new LeaderWaits();
  readonly #stop = new AbortController();
  readonly #done: Promise<unknown>;
  #state: ElectorState = { name: "follower" };
  #term: Term | undefined;
  #closing: Promise<void> | undefined;
  /** The release in progress. A candidate that rejoins waits for it: a late attempt would empty its new lease. */
  #releasing: Promise<boolean> = Promise.resolve(false);
  /** `true` when the watch has just shown a lease that may be taken. */
  #isFresh = false;
  /** `true` when the watch has shown a lease that is no longer ours. */
  #isSuspect = false;
  /** Monotonic time of the next attempt to acquire. */
  #attemptAtMs = Number.NEGATIVE_INFINITY;
  /** Passed time of the next renewal. */
  #renewAtMs = 0;

  /** @param companion - runs as long as the elector, such as the upkeep of a LeaseCandidate. */
  constructor(
    store: ObjectStore<Lease>,
    settings: ElectorSettings,
    companion: (signal: AbortSignal) => Promise<void> = async () => {},
  ) {
    const { clock, metrics, name } = settings;
    this.#settings = settings;
    this.#clock = clock;
    this.#time = new PassedTime(clock);
    this.#observation = new Observation(settings);
    this.#known = new KnownLeader(clock, settings.leaseDurationMs, (identity) =>
      this.#call(() => settings.onLeader(identity)),
    );
    this.#bell = new Bell(clock);
    const claims = new Claims(settings);
    const onRead = (lease: Live<Lease> | undefined) => this.#observe(lease);
    const shared = { ...settings, store, claims, onRead, time: this.#time };
    this.#candidacy = { ...shared, observation: this.#observation };
    this.#renewing = {
      ...shared,
      onSlowPath: () => this.#call(() => metrics?.slowPath(name)),
      onError: (error) => this.#report(error),
    };
    this.#call(() => metrics?.leading(name, false));
    const { signal } = this.#stop;
    this.#done = asElection(() =>
      Promise.all([this.#run(), this.#watch(), this.#time.keep(signal), companion(signal)]),
    );
  }

  get identity(): string {
    return this.#settings.identity;
  }

  get state(): ElectorState {
    return this.#state;
  }

  get leader(): string | undefined {
    return this.#observation.holder;
  }

  get isLeaderKnown(): boolean {
    return this.#known.isKnown;
  }

  acquired(signal?: AbortSignal): Promise<Leadership> {
    return this.#waits.wait(this.#state, signal);
  }

  health(toleranceMs: number = defaultToleranceMs): KubeError | undefined {
    const term = this.#term;
    return term === undefined || term.ageMs <= this.#settings.leaseDurationMs + toleranceMs
      ? undefined
      : new KubeError(
          "LeadershipLost",
          `${this.#subject} was last renewed ${Math.round(term.ageMs)} ms ago, and its holder did not stop`,
        );
  }

  release(): Promise<boolean> {
    if (this.#term !== undefined) {
      this.#finish({ name: "released" }, true);
      return this.#releasing;
    }
    return Promise.resolve(false);
  }

  rejoin(): void {
    if (this.#state.name === "lost" || this.#state.name === "released") {
      this.#attemptAtMs = Number.NEGATIVE_INFINITY;
      this.#enter({ name: "follower" });
      this.#bell.ring();
    }
  }

  close(options: { readonly release?: boolean | undefined } = {}): Promise<void> {
    this.#closing ??= this.#close(options.release ?? this.#settings.releaseOnStop);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(isReleasing: boolean): Promise<void> {
    this.#finish({ name: "stopped" }, isReleasing);
    this.#stop.abort(new KubeError("Closed", `the elector of ${this.#subject} is closed`));
    this.#bell.ring();
    await Promise.all([this.#done, this.#releasing]);
  }

  /** Ends a leadership on purpose: closes the fence first, so that no request starts while another process takes over. */
  #finish(state: ElectorState, isReleasing: boolean): void {
    const term = this.#term;
    term?.finish(`${this.identity} stopped leading: the elector is ${state.name}`);
    this.#stopLeading(term, state);
    const { store, claims } = this.#candidacy;
    if (term !== undefined && isReleasing) {
      this.#releasing = releaseLease({
        store,
        clock: this.#clock,
        isOwn: (record) => claims.isOwn(record),
        limitMs: this.#settings.renewDeadlineMs,
        onError: (error) => this.#report(error),
      });
    }
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      if (this.#state.name === "follower") {
        await this.#releasing;
        await this.#campaign();
      } else if (this.#term !== undefined) {
        await this.#lead(this.#term);
      } else {
        await this.#bell.wait(Number.POSITIVE_INFINITY);
      }
    }
  }

  /** Waits until an attempt to acquire the lease may succeed, and makes it. */
  async #campaign(): Promise<void> {
    await this.#bell.wait(this.#attemptAtMs - monotonicNow(this.#clock));
    const isFresh = this.#isFresh;
    this.#isFresh = false;
    const isDue = isFresh || monotonicNow(this.#clock) >= this.#attemptAtMs;
    if (!isDue || this.#state.name !== "follower" || this.#stop.signal.aborted) {
      return;
    }
    try {
      const written = await acquireLease(this.#candidacy, isFresh, this.#stop.signal);
      if (written !== undefined) {
        this.#begin(written);
      }
    } catch (error) {
      this.#report(error);
    }
    this.#scheduleAttempt();
  }

  /** Schedules the next attempt: when the lease expires, and before that as a poll, unless the watch shows a change. */
  #scheduleAttempt(): void {
    const { retryMs, random } = this.#settings;
    const pollMs = retryMs * (1 + jitterFactor * random());
    // A lease that may be taken was just attempted without success: only time helps.
    const leftMs = this.#observation.leftMs() || pollMs;
    this.#attemptAtMs = monotonicNow(this.#clock) + Math.min(pollMs, leftMs);
  }

  #begin(written: WrittenLease): void {
    const { clock, renewDeadlineMs, leaseDurationMs, name, retryMs, metrics } = this.#settings;
    const { lease, sentAt } = written;
    this.#observe(lease);
    const isLate = this.#time.now() - sentAt >= renewDeadlineMs;
    if (this.#state.name !== "follower" || this.#stop.signal.aborted || isLate) {
      // The lease is ours without a leader; the next attempt renews it.
      return;
    }
    const onLost = (error: KubeError) => this.#stopLeading(term, { name: "lost", error });
    const subject = this.#subject;
    const term: Term = new Term(
      { clock, time: this.#time, leaseDurationMs, renewDeadlineMs, subject, onLost },
      lease,
      sentAt,
    );
    this.#term = term;
    this.#isSuspect = false;
    this.#renewAtMs = sentAt + retryMs;
    this.#call(() => metrics?.leading(name, true));
    this.#record(lease, "became leader");
    this.#enter({ name: "leader", leadership: term });
  }

  /** Waits for the next renewal and makes it. */
  async #lead(term: Term): Promise<void> {
    await this.#bell.wait(this.#renewAtMs - this.#time.now());
    if (!term.isHeld) {
      return;
    }
    const isSuspect = this.#isSuspect;
    this.#isSuspect = false;
    if (!isSuspect && this.#time.now() < this.#renewAtMs) {
      return;
    }
    this.#renewAtMs = this.#time.now() + this.#settings.retryMs;
    try {
      const written = await renewLease(this.#renewing, term, isSuspect);
      if (written !== undefined) {
        this.#observe(written.lease);
        term.renewed(written.lease, written.sentAt);
        this.#renewAtMs = written.sentAt + this.#settings.retryMs;
      }
    } catch (error) {
      if (term.isHeld) {
        this.#report(error);
      }
    }
  }

  #stopLeading(term: Term | undefined, state: ElectorState): void {
    if (term !== undefined && term === this.#term) {
      const { metrics, name } = this.#settings;
      this.#term = undefined;
      this.#call(() => metrics?.leading(name, false));
      this.#record(term.lease, "stopped leading");
    }
    this.#enter(state);
    this.#bell.ring();
  }

  #enter(state: ElectorState): void {
    if (this.#state.name !== "stopped" && this.#state.name !== state.name) {
      this.#state = state;
      this.#call(() => this.#settings.onState(state));
      this.#waits.settle(this.#state);
    }
  }

  /** Follows the lease, so that a candidate acts when it changes. The loop polls in addition. */
  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        for await (const change of this.#candidacy.store.changes(signal)) {
          this.#see(change);
        }
      } catch (error) {
        this.#report(error);
      }
      await sleep(this.#clock, this.#settings.retryMs, signal).catch(() => {});
    }
  }

  #see({ object: lease, resourceVersion }: WatchedObject<Lease>): void {
    if (isOlder(resourceVersion, this.#observation.lease)) {
      return;
    }
    if (this.#term !== undefined) {
      if (isLossLikely(this.#renewing, lease)) {
        this.#isSuspect = true;
        this.#bell.ring();
      }
      return;
    }
    this.#observe(lease);
    if (this.#state.name === "follower") {
      this.#isFresh = mayTake(this.#candidacy);
      this.#scheduleAttempt();
      this.#bell.ring();
    }
  }

  #observe(lease: Live<Lease> | undefined): void {
    const isChanged = this.#observation.update(lease);
    const { holder } = this.#observation;
    if (holder !== undefined && isChanged) {
      this.#known.renewed(holder);
    }
  }

  #record(lease: Live<Lease>, what: string): void {
    this.#call(() =>
      this.#settings.events?.normal(lease, "LeaderElection", `${this.identity} ${what}`),
    );
  }

  /**
   * Runs a callback of the user, outside of the scope of a call that has just met the closed fence. What it throws must
   * not end the election.
   */
  #call(callback: () => void): void {
    try {
      withoutCallScope(callback);
    } catch (error) {
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (this.#stop.signal.aborted && error === this.#stop.signal.reason) {
      return;
    }
    try {
      this.#settings.onError(KubeError.from(error));
    } catch (failure) {
      process.emitWarning(failure instanceof Error ? failure : String(failure));
    }
  }

  get #subject(): string {
    return `the lease ${this.#settings.namespace}/${this.#settings.name}`;
  }
}
