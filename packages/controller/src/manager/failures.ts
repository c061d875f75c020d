import { KubeError } from "@typekube/core";

/** Failures of a manager: the first one ended it. */
export class Failures {
  readonly #all: unknown[] = [];

  add(error: unknown): void {
    this.#all.push(error);
  }

  get isEmpty(): boolean {
    return this.#all.length === 0;
  }

  /** The loss of the leadership, if that is among them. */
  get leadershipLost(): KubeError | undefined {
    return this.#all.find(
      (one): one is KubeError => one instanceof KubeError && one.code === "LeadershipLost",
    );
  }

  /** The only failure, or all of them as one error with the message of the first. */
  get combined(): unknown {
    const [first, ...others] = this.#all;
    return others.length === 0
      ? first
      : new AggregateError(this.#all, first instanceof Error ? first.message : String(first), {
          cause: first,
        });
  }
}
