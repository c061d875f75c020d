import type { Clock } from "@typekube/core/internal";
import type { World } from "./world.js";

/** Milliseconds in which a process that runs looks at its clocks: every second of a clock that may be 5 % slow. */
const unawareMs = 1_200;

/** A process with clocks of its own, which can stop, be suspended and crash. */
export class SimulatedProcess implements Clock {
  readonly #world: World;
  /** Milliseconds of its clocks per true millisecond. */
  readonly #rate: number;
  /** Sum of all jumps of the time of day. */
  #jumped: number;
  #suspendedMs = 0;
  #suspendedAt: number | undefined;
  /** True time from which it knows what has happened to its clocks. */
  #awareAt = Number.NEGATIVE_INFINITY;
  #isStopped = false;
  #isCrashed = false;
  /** Events that arrived while the process stood still. */
  #deferred: (() => void)[] = [];
  #timers = 0;

  /** @param skewMs - milliseconds by which its time of day is ahead of the true time. */
  constructor(world: World, rate: number, skewMs: number) {
    this.#world = world;
    this.#rate = rate;
    this.#jumped = skewMs;
  }

  get isCrashed(): boolean {
    return this.#isCrashed;
  }

  /** Number of pending timers. */
  get timers(): number {
    return this.#timers;
  }

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#world.now * this.#rate + this.#jumped;
  }

  /** Stands still while the machine is suspended, as on Linux. */
  monotonic(): number {
    const suspendedMs = this.#suspendedAt === undefined ? 0 : this.#world.now - this.#suspendedAt;
    return 5_000 + (this.#world.now - this.#suspendedMs - suspendedMs) * this.#rate;
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const due = this.monotonic() + Math.max(0, delayMs);
    let isPending = true;
    this.#timers += 1;
    const end = () => {
      this.#timers -= isPending ? 1 : 0;
      isPending = false;
    };
    const wait = () =>
      this.#world.after((due - this.monotonic()) / this.#rate, () => this.run(fire));
    const fire = () => {
      if (!isPending) {
        return;
      }
      if (this.monotonic() < due - 1e-6) {
        wait();
        return;
      }
      end();
      callback();
    };
    wait();
    return end;
  }

  /** Runs what happens to the process: at once, when it continues, or never. */
  run(callback: () => void): void {
    if (this.#isCrashed) {
      return;
    }
    if (this.#isStopped) {
      this.#deferred.push(callback);
    } else {
      callback();
    }
  }

  /** Stops the process, as SIGSTOP or an endless loop does; its clocks go on. */
  stop(forMs: number): void {
    if (!this.#isStopped) {
      this.#isStopped = true;
      this.#world.after(forMs, () => this.#continue());
    }
  }

  /**
   * Suspends the machine: the time of day goes on, the monotonic clock does not. Stops it just after its time of day was
   * set: a clock that is set back between two looks hides a suspension between the same two (see passed-time.ts).
   */
  suspend(forMs: number): void {
    if (!this.#isStopped) {
      this.#suspendedAt = this.#isAware ? this.#world.now : undefined;
      this.stop(forMs);
    }
  }

  /** Sets the time of day; not during a suspension, and not before the process has seen the last one. */
  jump(ms: number): void {
    if (this.#suspendedAt === undefined && this.#isAware) {
      this.#jumped += ms;
      this.#awareAt = this.#world.now + unawareMs;
    }
  }

  /** Milliseconds of its clocks since a true time, as if nothing had happened to them. */
  since(trueTime: number): number {
    return (this.#world.now - trueTime) * this.#rate;
  }

  crash(): void {
    this.#isCrashed = true;
    this.#deferred = [];
  }

  get #isAware(): boolean {
    return this.#world.now >= this.#awareAt;
  }

  #continue(): void {
    if (this.#suspendedAt !== undefined) {
      this.#suspendedMs += this.#world.now - this.#suspendedAt;
      this.#suspendedAt = undefined;
    }
    this.#isStopped = false;
    this.#awareAt = this.#world.now + unawareMs;
    for (const callback of this.#deferred.splice(0)) {
      // One event after the other, each with its promise chain.
      this.#world.after(0, () => this.run(callback));
    }
  }
}
