// Captured at load time, so that fake timers of a test framework don't stop a run.
const { setImmediate, setTimeout } = globalThis;

/** Turns of the event loop without news after which nothing goes on: a client handles a response in the turns after it. */
const quietTurns = 4;
/** Turns without news for which a run waits while others have asked for one more. An operator may ask for turns without end. */
const mostAwaitedTurns = 100;

/** Waits for one turn of the event loop, in which all promise chains run that can. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Waits for two turns of the event loop. */
export async function turns(): Promise<void> {
  await turn();
  await turn();
}

/** The turns of the event loop that others wait for. */
export class AwaitedTurns {
  /** Number of those that go on without an end, or began before: loops of an operator that did not stop. */
  #ignored: number = awaitedTurns();

  /** Returns whether somebody waits for a turn, and may have an end. */
  areAwaited(): boolean {
    const awaited = awaitedTurns();
    // A loop that has ended hides no other turns.
    this.#ignored = Math.min(this.#ignored, awaited);
    return awaited > this.#ignored;
  }

  /** Notes that the turns that are awaited now have no end. */
  ignore(): void {
    this.#ignored = awaitedTurns();
  }
}

function awaitedTurns(): number {
  return process.getActiveResourcesInfo().filter((type) => type === "Immediate").length;
}

/** Waits in real time. */
export function realTime(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Waits until nothing goes on.
 *
 * @param state - returns what changes while something goes on; `undefined` while a request is in progress.
 * @param act - called in each turn, to pass things on.
 * @param isEnough - ends the wait in any case.
 * @param still - the state when nothing went on, if nothing can have begun since: one turn that shows the same state is
 * enough then. Default: not known.
 * @param turns - the turns that others wait for, which are waited for, too. Default: they are not.
 */
export async function untilQuiet(
  state: () => number | undefined,
  act: () => void,
  isEnough: () => boolean,
  still?: number | undefined,
  turns?: AwaitedTurns | undefined,
): Promise<void> {
  let quiet = still === undefined ? 0 : quietTurns - 1;
  let seen = still;
  while ((quiet < quietTurns || turns?.areAwaited()) && !isEnough()) {
    if (quiet >= mostAwaitedTurns) {
      turns?.ignore();
      return;
    }
    act();
    await turn();
    const now = state();
    quiet = now !== undefined && now === seen ? quiet + 1 : 0;
    seen = now;
  }
}
