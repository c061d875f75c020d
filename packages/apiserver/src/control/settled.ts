import { KubeError } from "@typekube/core";
import type { ServerContext } from "../server-context.js";
import type { VirtualClock } from "./virtual-clock.js";

// Taken once, so that a test framework that fakes timers does not stop the waiting.
const { setImmediate, setTimeout } = globalThis;

/** How long somebody waits for a server to settle. */
export interface SettledOptions {
  /** Milliseconds of real time after which it is an error. Default 5000. */
  readonly timeoutMs?: number | undefined;
}

/** So many turns of the event loop in a row must pass without news: what an answer sets off in its reader comes in the next ones. */
const quietTurns = 5;
/** Events that nobody has taken in so many turns have no reader. */
const unreadTurns = 50;
/** With a listener, answers are on their way through sockets; then a turn lasts so long. */
const socketTurnMs = 2;

/**
 * Waits until nothing happens any more: no request is being answered, no event waits for its reader, no timer of a
 * virtual clock is due, no controller has work. What is held back, and what waits for a later time, does not count.
 *
 * @throws {KubeError} `DeadlineExceeded` when it does not come to rest in time; the message says what goes on.
 */
export async function settled(
  server: Pick<ServerContext, "clock" | "store" | "watches" | "work">,
  { timeoutMs = 5_000 }: SettledOptions,
  hasListeners: () => boolean,
): Promise<void> {
  const { work, watches, store } = server;
  const begun = performance.now();
  let quiet = 0;
  let seen = "";
  while (quiet < (watches.unread > 0 ? unreadTurns : quietTurns)) {
    await turn(hasListeners());
    await fireDue(server.clock);
    const now = `${work.begun} ${store.revision} ${watches.taken} ${watches.size}`;
    quiet = work.active === 0 && now === seen ? quiet + 1 : 0;
    seen = now;
    if (performance.now() - begun > timeoutMs) {
      throw new KubeError("DeadlineExceeded", unsettled(server, timeoutMs));
    }
  }
}

/** Whether a clock can be told to go on. */
export function isVirtual(clock: object): clock is VirtualClock {
  return "advance" in clock;
}

async function fireDue(clock: object): Promise<void> {
  if (isVirtual(clock)) {
    await clock.advance(0);
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
  return `the server did not settle in ${timeoutMs} ms: ${work.active} requests and reconciles are going on, ${work.begun} have begun so far, ${watches.unread} events are unread`;
}
