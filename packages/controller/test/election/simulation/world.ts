// Captured at load time, so that fake timers of other tests don't stop the simulation.
const { setImmediate } = globalThis;

interface WorldEvent {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** The true time of a simulated history, which no process can read, and everything that is going to happen. */
export class World {
  /** Milliseconds since the start. */
  now = 0;
  readonly #heap: WorldEvent[] = [];
  #order = 0;

  /** Runs a callback after `delayMs` of true time. */
  after(delayMs: number, run: () => void): void {
    const event = { at: this.now + Math.max(0, delayMs), order: this.#order++, run };
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent] as WorldEvent, event)) {
        break;
      }
      heap[at] = heap[parent] as WorldEvent;
      at = parent;
    }
    heap[at] = event;
  }

  /** Runs all events until a time. The promise chains that one starts run before the next. */
  async runUntil(time: number): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= time; next = this.#heap[0]) {
      this.#takeFirst();
      this.now = Math.max(this.now, next.at);
      next.run();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.now = Math.max(this.now, time);
  }

  #takeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as WorldEvent;
    if (heap.length === 0) {
      return;
    }
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as WorldEvent)) {
        child += 1;
      }
      const first = heap[child];
      if (first === undefined || isBefore(last, first)) {
        break;
      }
      heap[at] = first;
      at = child;
    }
    heap[at] = last;
  }
}

function isBefore(a: WorldEvent, b: WorldEvent): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
