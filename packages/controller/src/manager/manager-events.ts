/** Something that happened in a manager. */
export type ManagerEvent =
  | {
      readonly type: "runEnded" | "runStarted";
      readonly controller: string;
      readonly key: string;
      readonly attempt: number;
      /** For `runEnded`: `success`, `requeue`, `requeue_after`. */
      readonly result?: string | undefined;
    }
  | {
      readonly type: "runFailed";
      readonly controller: string;
      readonly key: string;
      readonly attempt: number;
      readonly error: Error;
    }
  | { readonly type: "leading" | "notLeading" };

/** Events that wait for one reader; older ones are dropped. */
const maxWaiting = 1_000;

/** Distributes events to any number of readers. Costs nothing without one. */
export class ManagerEvents {
  readonly #readers = new Set<Reader>();
  #isClosed = false;

  /** `true` when somebody reads. */
  get hasReaders(): boolean {
    return this.#readers.size > 0;
  }

  publish(event: ManagerEvent): void {
    for (const reader of this.#readers) {
      reader.push(event);
    }
  }

  /** Returns the events from now on; ends with the manager. */
  read(): AsyncIterableIterator<ManagerEvent> {
    const reader = new Reader(() => this.#readers.delete(reader));
    if (this.#isClosed) {
      reader.end();
    } else {
      this.#readers.add(reader);
    }
    return reader;
  }

  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers) {
      reader.end();
    }
    this.#readers.clear();
  }
}

class Reader implements AsyncIterableIterator<ManagerEvent> {
  readonly #onReturn: () => void;
  readonly #events: ManagerEvent[] = [];
  #waiting: ((result: IteratorResult<ManagerEvent>) => void)[] = [];
  #isDone = false;

  constructor(onReturn: () => void) {
    this.#onReturn = onReturn;
  }

  push(event: ManagerEvent): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next({ done: false, value: event });
      return;
    }
    this.#events.push(event);
    if (this.#events.length > maxWaiting) {
      this.#events.shift();
    }
  }

  end(): void {
    this.#isDone = true;
    for (const next of this.#waiting.splice(0)) {
      next({ done: true, value: undefined });
    }
  }

  next(): Promise<IteratorResult<ManagerEvent>> {
    const event = this.#events.shift();
    if (event !== undefined) {
      return Promise.resolve({ done: false, value: event });
    }
    return this.#isDone
      ? Promise.resolve({ done: true, value: undefined })
      : new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<ManagerEvent>> {
    this.#onReturn();
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
