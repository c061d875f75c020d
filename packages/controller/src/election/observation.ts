import type { Live } from "@typekube/api";
import type { Lease } from "@typekube/api/coordination/v1";
import { resourceVersionOrder } from "@typekube/core";
import { type Clock, monotonicNow } from "@typekube/core/internal";
import { isSameRecord, type LeaseRecord, readRecord } from "./lease-record.js";

/** Settings of an {@link Observation}. */
export interface ObservationSettings {
  readonly clock: Clock;
  /** Duration of a lease that does not state its own. */
  readonly leaseDurationMs: number;
  readonly trustRenewTime: { readonly maxSkewMs: number } | undefined;
}

/**
 * Knowledge of a candidate about the lease. A lease counts as expired once its record was unchanged for its own duration
 * on the monotonic clock of this process; times in the record, which come from the clocks of others, are not compared.
 * (client-go `tools/leaderelection`)
 *
 * A deleted lease stays valid for as long: its holder may not know yet, and creates it again.
 */
export class Observation {
  readonly #settings: ObservationSettings;
  #lease: Live<Lease> | undefined;
  #record: LeaseRecord | undefined;
  #sinceMs = 0;

  constructor(settings: ObservationSettings) {
    this.#settings = settings;
  }

  /** The lease as last seen; `undefined` when it does not exist, or was not seen yet. */
  get lease(): Live<Lease> | undefined {
    return this.#lease;
  }

  /** Identity of the holder; `undefined` for a free or missing lease. */
  get holder(): string | undefined {
    return this.#lease && this.#record?.holder ? this.#record.holder : undefined;
  }

  /**
   * Stores the lease; `undefined` when it does not exist.
   *
   * @returns `true` when the record changed.
   */
  update(lease: Live<Lease> | undefined): boolean {
    this.#lease = lease;
    if (lease === undefined) {
      return false;
    }
    const record = readRecord(lease);
    if (this.#record && isSameRecord(record, this.#record)) {
      return false;
    }
    this.#record = record;
    this.#sinceMs = monotonicNow(this.#settings.clock);
    return true;
  }

  /** Returns the milliseconds until the lease may be taken: 0 when it is free, expired or was never seen. */
  leftMs(): number {
    const record = this.#record;
    if (record === undefined || record.holder === "") {
      return 0;
    }
    const { clock, leaseDurationMs } = this.#settings;
    const durationMs = record.durationMs || leaseDurationMs;
    const leftMs = this.#sinceMs + durationMs - monotonicNow(clock);
    return Math.max(0, Math.min(leftMs, this.#statedLeftMs(record, durationMs)));
  }

  /** Returns the milliseconds left by the holder's own clock, if that may be trusted. */
  #statedLeftMs(record: LeaseRecord, durationMs: number): number {
    const { clock, trustRenewTime } = this.#settings;
    const renewedAt = Date.parse(record.renewTime);
    return trustRenewTime === undefined || Number.isNaN(renewedAt)
      ? Number.POSITIVE_INFINITY
      : renewedAt + durationMs + trustRenewTime.maxSkewMs - clock.now();
  }
}

/** Returns whether an event of a watch is older than a known lease. Unordered resourceVersions count as new. */
export function isOlder(eventVersion: string | undefined, known: Live<Lease> | undefined): boolean {
  const order = resourceVersionOrder(eventVersion, known?.metadata.resourceVersion);
  return order !== undefined && order < 0;
}
