import {
  type HttpSend,
  type LinkedAbort,
  linkAbort,
  type ReclaimedBytes,
  reclaimChunks,
  type WholeBytes,
} from "@typekube/core";
import { closedError } from "./closed-error.js";
import { describe } from "./exchange.js";

/** A way to a server that belongs to somebody else. */
export interface Door {
  readonly send: HttpSend;
  /** Ends what came through here and is still under way, and lets nothing in any more. The way itself stays open for others. */
  close(): Promise<void>;
}

/** An answer of which only the status was looked at must not stay for as long as its caller's signal, or the door. */
const unread = new FinalizationRegistry<() => void>((end) => end());

/** Makes a door in front of a way to a server. */
export function door(next: HttpSend): Door {
  const open = new Set<LinkedAbort>();
  let isClosed = false;
  return {
    async send(request) {
      request.signal?.throwIfAborted();
      if (isClosed) {
        throw closedError(describe(request));
      }
      const abort = linkAbort(request.signal);
      open.add(abort);
      const end = () => {
        open.delete(abort);
        abort[Symbol.dispose]();
        unread.unregister(end);
      };
      try {
        const response = await next({ ...request, signal: abort.signal });
        const body = new EndingBody(response.body, end);
        unread.register(body, end, end);
        return { ...response, body };
      } catch (error) {
        end();
        throw error;
      }
    },
    async close() {
      isClosed = true;
      for (const abort of open) {
        abort.abort(closedError());
      }
    },
  };
}

/** A body that says when nobody reads it any more. A class: an end before the first read counts as well. */
class EndingBody implements WholeBytes, ReclaimedBytes, AsyncIterableIterator<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #end: () => void;
  #chunks: AsyncIterator<Uint8Array> | undefined;

  constructor(body: AsyncIterable<Uint8Array>, end: () => void) {
    this.#body = body;
    this.#end = end;
  }

  takeWhole(): readonly Uint8Array[] | undefined {
    const whole = (this.#body as Partial<WholeBytes>).takeWhole?.();
    if (whole !== undefined) {
      this.#end();
    }
    return whole;
  }

  reclaimChunks(): void {
    reclaimChunks(this.#body);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks ??= this.#body[Symbol.asyncIterator]();
    try {
      const result = await this.#chunks.next();
      if (result.done === true) {
        this.#end();
      }
      return result;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks ??= this.#body[Symbol.asyncIterator]();
    try {
      await this.#chunks.return?.();
    } finally {
      this.#end();
    }
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    // It is for the body to say whether it may be read, or read again.
    this.#chunks = this.#body[Symbol.asyncIterator]();
    return this;
  }
}
