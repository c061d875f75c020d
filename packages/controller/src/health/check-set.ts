import { KubeError } from "@typekube/core";
import { type Clock, sleep } from "@typekube/core/internal";
import type { HealthCheck, HealthChecks } from "./health-options.js";

/** Milliseconds that a check has. */
const limitMs = 5_000;

/** Named checks. A check never runs twice at once: requests share its run, and its failure to end. */
export class CheckSet {
  readonly #clock: Clock;
  readonly #checks: Map<string, HealthCheck>;
  readonly #going = new Map<string, Promise<Error | undefined>>();
  /** Checks that did not end in time and still go on. */
  readonly #overdue = new Set<string>();

  constructor(clock: Clock, checks: HealthChecks = {}) {
    this.#clock = clock;
    this.#checks = new Map(Object.entries(checks));
  }

  get names(): string[] {
    return [...this.#checks.keys()].sort();
  }

  has(name: string): boolean {
    return this.#checks.has(name);
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Runs a check; returns why it failed, or `undefined`. Never rejects. */
  run(name: string): Promise<Error | undefined> {
    const check = this.#checks.get(name);
    if (check === undefined || this.#overdue.has(name)) {
      return Promise.resolve(check === undefined ? undefined : overdue());
    }
    let going = this.#going.get(name);
    if (going === undefined) {
      going = this.#start(name, check).finally(() => this.#going.delete(name));
      this.#going.set(name, going);
    }
    return going;
  }

  async #start(name: string, check: HealthCheck): Promise<Error | undefined> {
    const timeout = new AbortController();
    const over = new AbortController();
    const ended = attempt(check, timeout.signal);
    const late = sleep(this.#clock, limitMs, over.signal).then(
      () => "late" as const,
      () => undefined,
    );
    const result = await Promise.race([ended, late]);
    over.abort();
    if (result !== "late") {
      return result;
    }
    this.#overdue.add(name);
    void ended.then(() => this.#overdue.delete(name));
    const error = overdue();
    timeout.abort(error);
    return error;
  }
}

async function attempt(check: HealthCheck, signal: AbortSignal): Promise<Error | undefined> {
  try {
    await check(signal);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function overdue(): KubeError {
  return new KubeError("DeadlineExceeded", `the check did not end in ${limitMs} ms`);
}
