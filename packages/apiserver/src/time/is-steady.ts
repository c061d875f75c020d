import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Store } from "../store/store.js";
import { isVirtual } from "./settled.js";

/** Time for which a server must stay unchanged. */
export interface SteadyOptions {
  /** Number of clock advances. Default 5. */
  readonly ticks?: number | undefined;
  /** Milliseconds of the virtual clock for each advance. Default 60000. */
  readonly tickMs?: number | undefined;
}

/**
 * Advances the clock and returns whether nothing was written in that time. Event objects don't count: they are a log,
 * and expire.
 *
 * @param settle - waits until the server is idle.
 * @throws {KubeError} `InvalidArgument` for a server without a virtual clock, and for invalid options.
 */
export async function isSteady(
  { clock, store }: { readonly clock: Clock; readonly store: Store },
  settle: () => Promise<void>,
  { ticks = 5, tickMs = 60_000 }: SteadyOptions = {},
): Promise<boolean> {
  if (!isVirtual(clock)) {
    throw new KubeError("InvalidArgument", 'isSteady() needs startApiServer({ clock: "virtual" })');
  }
  if (!(Number.isInteger(ticks) && ticks >= 1)) {
    throw new KubeError(
      "InvalidArgument",
      `ticks is ${ticks}, but must be an integer of at least 1`,
    );
  }
  await settle();
  const before = store.revision;
  let events = 0n;
  const forget = store.onCommit((_, storage) => {
    events += storage === "events" ? 1n : 0n;
  });
  try {
    for (let tick = 0; tick < ticks; tick++) {
      await clock.advance(tickMs);
      await settle();
      if (store.revision !== before + events) {
        return false;
      }
    }
    return true;
  } finally {
    forget();
  }
}
