import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { isOlder, Observation, type ObservationSettings } from "../election/observation.js";
import type { LeaseChange } from "./lease-store.js";
import { type LeaseNames, layoutOf } from "./shard-layout.js";

/** Knowledge of one replica about all Leases of its sharding, from one watch. */
export class LeaseBoard {
  readonly #settings: Omit<ObservationSettings, "trustRenewTime">;
  readonly #names: LeaseNames;
  readonly #observed = new Map<string, Observation>();
  #isComplete = false;

  constructor(settings: Omit<ObservationSettings, "trustRenewTime">, names: LeaseNames) {
    this.#settings = settings;
    this.#names = names;
  }

  /** `true` once all Leases were seen. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Returns what is known about a Lease; `undefined` for one that was never seen. */
  get(name: string): Observation | undefined {
    return this.#observed.get(name);
  }

  /** Returns the replicas whose membership is valid, by identity, with their Leases. */
  members(): Map<string, Live<Lease>> {
    const members = new Map<string, Live<Lease>>();
    for (const [name, observation] of this.#observed) {
      const identity = this.#names.memberOf(name);
      const { lease } = observation;
      if (identity !== undefined && lease !== undefined && observation.leftMs() > 0) {
        members.set(identity, lease);
      }
    }
    return members;
  }

  /** Returns whether the membership of a replica is valid. */
  hasMember(identity: string): boolean {
    return (this.get(this.#names.member(identity))?.leftMs() ?? 0) > 0;
  }

  /** Returns whether other replicas work by a layout. */
  hasOthers(identity: string, layout: string): boolean {
    return [...this.members()].some(
      ([member, lease]) => member !== identity && layoutOf(lease) === layout,
    );
  }

  /**
   * Returns the replicas that ended without leaving, if it is for this replica to delete their Leases: the first of the
   * members does so for all.
   */
  departedFor(identity: string): string[] {
    const [first] = [...this.members().keys()].sort();
    return first !== identity
      ? []
      : [...this.#observed].flatMap(([name, observation]) => {
          const member = this.#names.memberOf(name);
          return member === undefined || member === identity || observation.leftMs() > 0
            ? []
            : [member];
        });
  }

  /** Takes in a change that the watch, a list or an own write has shown. */
  see(change: LeaseChange): void {
    if (change.type === "deleted") {
      this.#delete(change.lease.metadata.name, change.lease.metadata.resourceVersion);
    } else if (change.type === "applied") {
      this.#apply(change.lease);
    } else {
      const present = new Set(change.leases.map(({ metadata }) => metadata.name));
      for (const lease of change.leases) {
        this.#apply(lease);
      }
      for (const name of [...this.#observed.keys()]) {
        if (!present.has(name)) {
          this.#delete(name, undefined);
        }
      }
      this.#isComplete = true;
    }
  }

  #apply(lease: Live<Lease>): void {
    const { name, resourceVersion } = lease.metadata;
    let observation = this.#observed.get(name);
    if (observation === undefined) {
      observation = new Observation({ ...this.#settings, trustRenewTime: undefined });
      this.#observed.set(name, observation);
    }
    if (!isOlder(resourceVersion, observation.lease)) {
      observation.update(lease);
    }
  }

  #delete(name: string, resourceVersion: string | undefined): void {
    const observation = this.#observed.get(name);
    if (observation === undefined || isOlder(resourceVersion, observation.lease)) {
      return;
    }
    if (this.#names.memberOf(name) === undefined) {
      // The holder of a deleted shard may not know yet: the rest of its time counts.
      observation.update(undefined);
    } else {
      this.#observed.delete(name);
    }
  }
}
