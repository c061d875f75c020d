import type { Live } from "@typekube/api";
import type { LeaseCandidate } from "@typekube/api/coordination/v1beta1";
import { KubeError, microTime } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import { Bell } from "./bell.js";
import type { CoordinatedElection } from "./elector-options.js";
import type { ObjectStore } from "./object-store.js";

/** Milliseconds between two renewals without a ping. (client-go `leasecandidate.go`) */
const renewMs = 5 * 60_000;

/** The only strategy of the API server: the lowest emulated version leads, then the lowest own version, then the oldest. */
const strategy = "OldestEmulationVersion";

/** Settings of {@link keepCandidate}. */
export interface CandidateSettings extends CoordinatedElection {
  readonly store: ObjectStore<LeaseCandidate>;
  readonly clock: Clock;
  /** Name of the candidate, which the API server writes into the lease as its holder. */
  readonly identity: string;
  readonly namespace: string;
  readonly leaseName: string;
  /** Milliseconds before the next attempt after a failure. */
  readonly retryMs: number;
  readonly onError: (error: KubeError) => void;
}

/**
 * Keeps a LeaseCandidate until the signal aborts: creates it, renews it every five minutes, and at once when the API
 * server pings it. (KEP-4355)
 */
export async function keepCandidate(
  settings: CandidateSettings,
  signal: AbortSignal,
): Promise<void> {
  const bell = new Bell(settings.clock);
  const onAbort = () => bell.ring();
  signal.addEventListener("abort", onAbort, { once: true });
  const watching = watchPings(settings, bell, signal);
  try {
    while (!signal.aborted) {
      await bell.wait(await renewCandidate(settings, signal));
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  await watching;
}

/** Renews or creates the candidate. Returns the milliseconds until the next attempt. */
async function renewCandidate(settings: CandidateSettings, signal: AbortSignal): Promise<number> {
  const { store, clock, retryMs, onError } = settings;
  try {
    const existing = await store.get(signal);
    const renewTime = microTime(undefined, clock);
    if (existing === undefined) {
      await store.create(newCandidate(settings, renewTime), signal);
    } else {
      await store.update({ ...existing, spec: { ...existing.spec, renewTime } }, signal);
    }
    return renewMs;
  } catch (error) {
    if (!signal.aborted) {
      onError(KubeError.from(error));
    }
    return retryMs;
  }
}

function newCandidate(settings: CandidateSettings, renewTime: string): LeaseCandidate {
  const { identity, namespace, leaseName, binaryVersion, emulationVersion } = settings;
  return {
    metadata: { name: identity, namespace },
    spec: {
      leaseName,
      binaryVersion,
      emulationVersion: emulationVersion ?? binaryVersion,
      strategy,
      renewTime,
    },
  };
}

async function watchPings(
  { store, clock, retryMs, onError }: CandidateSettings,
  bell: Bell,
  signal: AbortSignal,
): Promise<void> {
  let wasThere = false;
  while (!signal.aborted) {
    try {
      for await (const { object: candidate } of store.changes(signal)) {
        if (isPinged(candidate) || (candidate === undefined && wasThere)) {
          bell.ring();
        }
        wasThere = candidate !== undefined;
      }
    } catch (error) {
      if (!signal.aborted) {
        onError(KubeError.from(error));
      }
    }
    await sleep(clock, retryMs, signal).catch(() => {});
  }
}

/** Returns whether the API server waits for a renewal. */
function isPinged(candidate: Live<LeaseCandidate> | undefined): boolean {
  const { pingTime, renewTime } = candidate?.spec ?? {};
  // MicroTimes have a fixed form, in UTC, so their text has the order of time.
  return pingTime !== undefined && pingTime > (renewTime ?? "");
}
