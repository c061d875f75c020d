import { KubeError } from "@typekube/core";
import type { Clock } from "@typekube/core/internal";
import type { ServerContext } from "../server-context.js";
import type { VirtualClock } from "./virtual-clock.js";

// Taken once, so that a test framework that fakes timers does not stop the waiting.
const { setImmediate, setTimeout } = globalThis;

/** Options of `settled()`. */
export interface SettledOptions {
  /** Milliseconds of real time after which it is an error. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** Turns of the event loop in a row without news: a reader handles a response in the turns after it. */
const quietTurns = 5;
/** Events that were not taken in this many turns have no reader. */
const unreadTurns = 50;
/** Length of a turn with a listener, where responses travel through sockets. */
const socketTurnMs = 2;

/**
 * Waits until the server is at rest: no request is under way, no event waits for its reader, no timer of a virtual clock is
 * due, no controller has work. A virtual clock is moved on as far as reactions of controllers are due
 * (`reactionDelayMs`), each time after all else has come to rest; later times and what is held back do not count.
 *
 * @throws {KubeError} `DeadlineExceeded` when it does not come to rest in time; the message lists what is under way.
 */
export async function settled(
  server: Pick<ServerContext, "clock" | "store" | "watches" | "work">,
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

/** Reports whether a clock only moves when it is advanced. */
export function isVirtual(clock: object): clock is VirtualClock {
  return "advance" in clock;
}

/** Moves a virtual clock on. A real one gets there by itself. */
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
  { work, watches }: Pick<ServerContext, "watches" | "work">,
  timeoutMs: number,
): string {
  return `the server did not settle in ${timeoutMs} ms: ${work.active} requests and reconciles are under way, ${work.begun} have begun so far, ${watches.unread} events are unread`;
}
