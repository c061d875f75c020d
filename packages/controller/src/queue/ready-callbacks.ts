/** The callbacks of `onReady()`. A callback may be registered twice, and may be removed while callbacks are called. */
export class ReadyCallbacks {
  #callbacks: readonly (() => void)[] = [];

  /** Registers a callback. Returns a function that removes it. */
  add(callback: () => void): () => void {
    const own = () => callback();
    this.#callbacks = [...this.#callbacks, own];
    return () => {
      this.#callbacks = this.#callbacks.filter((other) => other !== own);
    };
  }

  call(): void {
    for (const callback of this.#callbacks) {
      callback();
    }
  }
}
