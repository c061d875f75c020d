import { isNetworkError, KubeError } from "@typekube/core";

/**
 * A watch that ends sooner than this without anything new is a failure: something in between cuts it. (client-go counts events; a
 * peer that sends the same bookmark and closes would then be asked again without a pause.)
 */
export const veryShortWatchMs = 1_000;

/**
 * Watches in a row that end so soon, each with something new, from which on they are failures as well. Something on the way may end answers
 * with their first event; of a busy resource that would be thousands of requests a second. (client-go does not wait at all)
 */
const maxShortWatches = 5;

/** The watches that ended within a second, in good order or cut, one after the other; a longer one ends the series. */
export class ShortWatches {
  #inARow = 0;
  #failure: KubeError | undefined;
  #isRepeated = false;

  /**
   * A watch ended in good order.
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
   * A watch failed. One that was answered and then cut by the network counts like one that ended in good order, since load
   * balancers cut every watch after a while, for years. (client-go makes no difference)
   *
   * @returns whether to resume it at once; false where it was not answered, or ended too soon for that.
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

  /** A watch went on for so long, however it ended. */
  lasted(lastedMs: number): void {
    if (lastedMs >= veryShortWatchMs) {
      this.#inARow = 0;
      this.#failure = undefined;
    }
  }

  /** Whether a failure was told already: of a series the first is enough. */
  isRepeated(error: KubeError): boolean {
    return this.#isRepeated && error === this.#failure;
  }
}
