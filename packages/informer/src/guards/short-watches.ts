import { isNetworkError, KubeError } from "@typekube/core";

/**
 * Milliseconds below which a watch without anything new counts as a failure: a proxy cuts it. (client-go counts events,
 * and would resume without a pause when a peer sends the same bookmark and closes.)
 */
export const veryShortWatchMs = 1_000;

/**
 * Number of consecutive short watches from which they count as failures even with something new. A proxy may end
 * responses after their first event; on a busy resource that would cause thousands of requests a second. (client-go
 * does not wait at all)
 */
const maxShortWatches = 5;

/** Consecutive watches that lasted less than a second, ended normally or cut. A longer watch ends the series. */
export class ShortWatches {
  #inARow = 0;
  #failure: KubeError | undefined;
  #isRepeated = false;

  /**
   * Called when a watch ended normally.
   *
   * @throws {KubeError} `ConnectionClosed` when it ended too soon for another to follow at once.
   */
  ended(plural: string, lastedMs: number, broughtNews: boolean): void {
    this.lasted(lastedMs);
    if (lastedMs >= veryShortWatchMs) {
      return;
    }
    this.#inARow++;
    if (!broughtNews) {
      throw new KubeError(
        "ConnectionClosed",
        `very short watch: the watch of ${plural} ended within a second without an event`,
      );
    }
    if (this.#inARow >= maxShortWatches) {
      this.#isRepeated = this.#failure !== undefined;
      this.#failure ??= new KubeError(
        "ConnectionClosed",
        `very short watches: ${maxShortWatches} watches of ${plural} in a row ended within a second`,
        { hint: "a proxy or load balancer may close responses early" },
      );
      throw this.#failure;
    }
  }

  /**
   * Called when a watch failed. A watch that got a response and was then cut by the network counts like one that ended
   * normally, since load balancers cut every watch after a while, for years. (client-go does not distinguish them)
   *
   * @returns `true` to resume at once; `false` when the watch got no response, or ended too soon for that.
   */
  failed(error: unknown, hasResponse: boolean, lastedMs: number, broughtNews: boolean): boolean {
    this.lasted(lastedMs);
    if (!isNetworkError(error) || !(hasResponse || broughtNews)) {
      return false;
    }
    if (lastedMs >= veryShortWatchMs) {
      return true;
    }
    this.#inARow++;
    return broughtNews && this.#inARow < maxShortWatches;
  }

  /** Called with the duration of a watch, however it ended. */
  lasted(lastedMs: number): void {
    if (lastedMs >= veryShortWatchMs) {
      this.#inARow = 0;
      this.#failure = undefined;
    }
  }

  /** Returns true when a failure was reported already: only the first one of a series is. */
  isRepeated(error: KubeError): boolean {
    return this.#isRepeated && error === this.#failure;
  }
}
