/**
 * A promise that notices when a caller awaits it: awaiting the result of a session means that unread output is not
 * wanted.
 */
export class AwaitedPromise<T> implements Promise<T> {
  readonly [Symbol.toStringTag] = "Promise";
  readonly #promise: Promise<T>;
  readonly #onAwait: () => void;

  constructor(promise: Promise<T>, onAwait: () => void) {
    this.#promise = promise;
    this.#onAwait = onAwait;
    // It need not be awaited.
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
