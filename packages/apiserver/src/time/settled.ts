import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { Store } from "../store/store.js";
import type { WatchHub } from "../store/watch-hub.js";
import type { VirtualClock } from "./virtual-clock.js";
import type { Work } from "./work.js";

// Captured at load time, so that fake timers of a test framework don't block the wait.
const { setImmediate, setTimeout } = globalThis;

/** Options of `settled()`. */
export interface SettledOptions {
  /** Milliseconds of real time after which `settled()` fails. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Consecutive event loop turns without news: a client handles a response in the turns after it. */
const quietTurns = 5;
/** Turns after which unread events count as having no reader. */
const unreadTurns = 50;
/** Length of a turn while a listener is open and responses travel through sockets, in milliseconds. */
const socketTurnMs = 2;

/** Server state that shows whether the server is idle. */
interface Activity {
  readonly clock: Clock;
  readonly store: Store;
  readonly watches: WatchHub;
  readonly work: Work;
}

/**
 * Waits until the server is idle: no request is in progress, no event waits for its reader, no timer of a virtual clock
 * is due, no controller has work. A virtual clock is advanced to due reactions of controllers (`reactionDelayMs`), each
 * time after everything else is idle; later timers and held events don't count.
 *
 * @throws {KubeError} `DeadlineExceeded` when the server does not settle in time; the message lists the work in
 * progress.
 */
export async function settled(
  server: Activity,
  { timeoutMs = 5_000 }: SettledOptions,
  hasListeners: () => boolean,
): Promise<void> {
  const { clock, work, watches, store } = server;
  const begun = performance.now();
  let quiet = 0;
  let seen = "";
  const isQuiet = () => quiet >= (watches.unread > 0 ? unreadTurns : quietTurns);
  while (!isQuiet() || work.nextReaction !== undefined) {
    if (isQuiet()) {
      quiet = 0;
      await passTo(clock, work.nextReaction);
    }
    await turn(hasListeners());
    await passTo(clock, clock.now());
    const now = `${work.begun} ${store.revision} ${watches.taken} ${watches.size}`;
    quiet = work.active === 0 && now === seen ? quiet + 1 : 0;
    seen = now;
    if (performance.now() - begun > timeoutMs) {
      throw new KubeError("DeadlineExceeded", unsettled(server, timeoutMs));
    }
  }
}

/** Returns whether a clock moves only when it is advanced. */
export function isVirtual(clock: object): clock is VirtualClock {
  return "advance" in clock;
}

/** Advances a virtual clock to a time. A real clock needs no help. */
async function passTo(clock: Clock, time: number | undefined): Promise<void> {
  if (isVirtual(clock) && time !== undefined) {
    await clock.advance(Math.max(0, time - clock.now()));
  }
}

function turn(hasListeners: boolean): Promise<void> {
  return new Promise((resolve) => {
    if (hasListeners) {
      setTimeout(resolve, socketTurnMs);
    } else {
      setImmediate(resolve);
    }
  });
}

function unsettled(
  { work, watches }: Pick<Activity, "watches" | "work">,
  timeoutMs: number,
): string {
  return `the server did not settle within ${timeoutMs} ms: ${work.active} requests and reconciles are active, ${work.begun} have started so far, ${watches.unread} events are unread`;
}
