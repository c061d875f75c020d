import { KubeError } from "@typekube/core";
import { assertOptions, type OptionTable } from "@typekube/core/internal";
import type { ServerContext } from "../../context/server-context.js";
import type { StoreEvent } from "../../store/history.js";
import type { Store } from "../../store/store.js";

/** Lag of a follower. Default: it sees no write until `catchUp()`. */
export interface Lag {
  /** Constant lag in writes. */
  readonly writes?: number | undefined;
  /** Constant lag in milliseconds of the server's clock. */
  readonly ms?: number | undefined;
}

const lagOptions: OptionTable<Lag> = { writes: true, ms: true };

/**
 * Rejects an invalid lag, with which a follower would not lag or would never catch up.
 *
 * @throws {KubeError} `InvalidArgument`.
 */
export function assertLag(lag: Lag): void {
  assertOptions("a replica", lag, lagOptions);
  const { writes = 0, ms = 0 } = lag;
  if (!(Number.isInteger(writes) && writes >= 0 && Number.isFinite(ms) && ms >= 0)) {
    throw new KubeError("InvalidArgument", `invalid replica lag: ${JSON.stringify(lag)}`);
  }
}

/** A store that replays the writes of another store later. */
export interface Follower {
  readonly store: Store;
  /** Number of writes not seen yet. */
  readonly behind: number;
  /** Applies the next `writes`. Default: all pending ones. */
  catchUp(writes?: number): void;
  /** Resets the store to the leader's current state. */
  reset(): void;
  stop(): void;
}

/**
 * Follows a store.
 *
 * @param begin - initial state: a fork of the leader's current or an earlier state.
 */
export function followStore(
  { store: leader, clock }: Pick<ServerContext, "clock" | "store">,
  lag: Lag,
  begin: Store,
): Follower {
  const store = begin;
  let waiting: { readonly event: StoreEvent; readonly storage: string }[] = missedBy(begin, leader);
  const cancels = new Set<() => void>();
  const catchUp = (writes = waiting.length) => {
    for (const { event, storage } of waiting.splice(0, Math.max(0, writes))) {
      store.replay(event, storage);
    }
  };
  const later = (delayMs: number, step: () => void) => {
    const cancel = clock.schedule(delayMs, () => {
      cancels.delete(cancel);
      step();
    });
    cancels.add(cancel);
  };
  const stop = leader.follow((event, storage) => {
    waiting.push({ event, storage });
    if (lag.writes !== undefined) {
      catchUp(waiting.length - lag.writes);
    } else if (lag.ms !== undefined) {
      later(lag.ms, () => catchUp(waiting.findIndex((one) => one.event === event) + 1));
    }
  });
  return {
    store,
    get behind() {
      return waiting.length;
    },
    catchUp,
    reset() {
      waiting = [];
      store.restore(leader.fork());
    },
    stop() {
      stop();
      for (const cancel of cancels) {
        cancel();
      }
    },
  };
}

function missedBy(begin: Store, leader: Store): { event: StoreEvent; storage: string }[] {
  return [...leader.collections()]
    .flatMap(([storage, { history }]) =>
      history.after(begin.revision).map((event) => ({ event, storage })),
    )
    .sort((a, b) => (a.event.revision < b.event.revision ? -1 : 1));
}

/** Returns a fork of a store as it was before its last `writes`, or as far back as its history reaches. */
export function storeBefore(leader: Store, writes: number): Store {
  const store: Store = leader.fork();
  store.rewind(writes);
  return store;
}
