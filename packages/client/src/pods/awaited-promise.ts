/**
 * A promise that notices when somebody waits for it. Waiting for the result of a session says that output which nobody
 * reads is not wanted.
 */
export class AwaitedPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Promise";
  readonly #promise: Promise<T>;
  readonly #onAwait: () => void;

  constructor(promise: Promise<T>, onAwait: () => void) {
    this.#promise = promise;
    this.#onAwait = onAwait;
    // Nobody has to wait for it.
    promise.catch(() => {});
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#onAwait();
    return this.#promise.then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<B | T> {
    return this.then(undefined, onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<T> {
    this.#onAwait();
    return this.#promise.finally(onFinally);
  }
}
