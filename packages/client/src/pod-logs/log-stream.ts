import { callScope, type LinkedAbort, linkAbort } from "@typekube/core/internal";

/** The lines of a log. Ending the iteration early closes the connection at once. */
export interface LogLines<T> extends AsyncIterableIterator<T, undefined>, AsyncDisposable {}

type Result<T> = IteratorResult<T, undefined>;

const done: Result<never> = { done: true, value: undefined };

/**
 * Turns batches into single items. Hand-written, since every line passes through it: another async generator would cost
 * more than decoding.
 */
export class LogStream<T> implements LogLines<T> {
  readonly #open: (signal: AbortSignal) => Promise<AsyncGenerator<readonly T[], void, undefined>>;
  readonly #parents: readonly (AbortSignal | undefined)[];
  /** Linked with the first `next()`, so that an unread stream has no listener on a signal. */
  #abort: LinkedAbort | undefined;
  #source: Promise<AsyncGenerator<readonly T[], void, undefined>> | undefined;
  #batch: readonly T[] = [];
  #at = 0;
  #pulling: Promise<unknown> | undefined;
  #isOver = false;

  constructor(
    open: (signal: AbortSignal) => Promise<AsyncGenerator<readonly T[], void, undefined>>,
    signal: AbortSignal | undefined,
  ) {
    this.#open = open;
    this.#parents = [signal, callScope()?.signal];
  }

  next(): Promise<Result<T>> {
    if (this.#at < this.#batch.length && !this.#abort?.signal.aborted) {
      return Promise.resolve({ done: false, value: this.#batch[this.#at++] as T });
    }
    const pulled = (this.#pulling ?? Promise.resolve()).then(() => this.#pull());
    this.#pulling = pulled.catch(() => {});
    return pulled;
  }

  async return(): Promise<Result<T>> {
    const wasOpen = !this.#isOver && this.#source !== undefined;
    this.#end();
    if (wasOpen) {
      const source = await this.#source?.catch(() => undefined);
      await source?.return().catch(() => {});
    }
    return done;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  async #pull(): Promise<Result<T>> {
    if (this.#isOver) {
      return done;
    }
    this.#abort ??= linkAbort(...this.#parents);
    const { signal } = this.#abort;
    try {
      signal.throwIfAborted();
      while (this.#at >= this.#batch.length) {
        this.#source ??= this.#open(signal);
        const { done: isLast, value } = await (await this.#source).next();
        if (isLast || this.#isOver) {
          this.#end();
          return done;
        }
        this.#batch = value;
        this.#at = 0;
      }
      return { done: false, value: this.#batch[this.#at++] as T };
    } catch (error) {
      const wasOver = this.#isOver;
      this.#end();
      if (wasOver) {
        return done;
      }
      throw error;
    }
  }

  #end(): void {
    this.#isOver = true;
    this.#batch = [];
    this.#at = 0;
    this.#abort?.abort(new DOMException("the reader stopped", "AbortError"));
    this.#abort?.[Symbol.dispose]();
  }
}
