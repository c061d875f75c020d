import { setImmediate } from "node:timers";
import { KubeError } from "@typekube/core";
import {
  type HttpRequest,
  type HttpResponse,
  type HttpSend,
  linkAbort,
  type ReclaimedBytes,
  reclaimChunks,
  type WholeBytes,
} from "@typekube/core/internal";
import { closedError } from "./errors/closed-error.js";
import { describeRequest } from "./errors/describe-request.js";

/** A transport owned by the caller; `close()` ends our requests and leaves it open. */
export interface BorrowedTransport {
  readonly send: HttpSend;
  /** Ends active requests and rejects later ones. The borrowed transport stays open for others. */
  close(): Promise<void>;
}

/**
 * Releases unread responses: one of which only the status was used must not live as long as its caller's signal or this
 * wrapper.
 */
const unread = new FinalizationRegistry<() => void>((end) => end());

/** Wraps a borrowed transport. */
export function borrowTransport(next: HttpSend): BorrowedTransport {
  /** Functions that end the active exchanges. */
  const open = new Set<(reason: KubeError) => void>();
  let isClosed = false;
  const assertOpen = (request?: HttpRequest) => {
    if (isClosed) {
      throw closedError(request && describeRequest(request));
    }
  };

  /**
   * Sends a call. Calls are short, so closing only rejects the promise and lets the exchange finish. A signal for each
   * would cost a sixth of an in-process call.
   */
  const call = (request: HttpRequest): Promise<HttpResponse> =>
    new Promise((resolve, reject) => {
      open.add(reject);
      next(request).then(
        (response) => {
          open.delete(reject);
          const { body } = response;
          if (isClosed) {
            void giveUp(body);
          }
          resolve({
            ...response,
            body: wholeBody(body) ?? new EndingBody(body, () => {}, assertOpen),
          });
        },
        (error: unknown) => {
          open.delete(reject);
          reject(error);
        },
      );
    });

  /** Sends a stream. It may be silent for hours, so closing aborts its signal. */
  const stream = async (request: HttpRequest): Promise<HttpResponse> => {
    const abort = linkAbort(request.signal);
    open.add(abort.abort);
    let isReadOrOver = false;
    const end = () => {
      isReadOrOver = true;
      open.delete(abort.abort);
      abort[Symbol.dispose]();
    };
    try {
      const response = await next({ ...request, signal: abort.signal });
      const body = new EndingBody(response.body, end, () => {
        isReadOrOver = true;
      });
      // Most are read at once; their readers end them. A registered object lives until the next full garbage collection.
      setImmediate(() => {
        if (!isReadOrOver) {
          unread.register(body, end);
        }
      });
      return { ...response, body };
    } catch (error) {
      end();
      throw error;
    }
  };

  return {
    async send(request) {
      request.signal?.throwIfAborted();
      assertOpen(request);
      return request.mode === "call" ? call(request) : stream(request);
    },
    async close() {
      isClosed = true;
      for (const end of open) {
        end(closedError());
      }
    },
  };
}

/** Cancels the body. Errors while cancelling are ignored. */
async function giveUp(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
}

/** Takes a body whose bytes have all arrived before it is read, as most have. */
function wholeBody(body: AsyncIterable<Uint8Array>): WholeBody | undefined {
  const whole = (body as Partial<WholeBytes>).takeWhole?.();
  return whole && new WholeBody(whole);
}

class WholeBody implements WholeBytes {
  #chunks: readonly Uint8Array[] | undefined;

  constructor(chunks: readonly Uint8Array[]) {
    this.#chunks = chunks;
  }

  takeWhole(): readonly Uint8Array[] {
    const chunks = this.#chunks;
    if (chunks === undefined) {
      throw new KubeError("InvalidArgument", "the body of a response can be read only once");
    }
    this.#chunks = undefined;
    return chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    yield* this.takeWhole();
  }
}

/** A body that reports when reading has ended. A class, because cancelling before the first read must be reported too. */
class EndingBody implements ReclaimedBytes, AsyncIterableIterator<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #end: () => void;
  readonly #beforeChunk: () => void;
  #chunks: AsyncIterator<Uint8Array> | undefined;

  /** @param beforeChunk - called before each chunk; what it throws ends the body. */
  constructor(body: AsyncIterable<Uint8Array>, end: () => void, beforeChunk: () => void) {
    this.#body = body;
    this.#end = end;
    this.#beforeChunk = beforeChunk;
  }

  reclaimChunks(): void {
    reclaimChunks(this.#body);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks ??= this.#body[Symbol.asyncIterator]();
    try {
      this.#beforeChunk();
      const result = await this.#chunks.next();
      if (result.done === true) {
        this.#end();
      }
      return result;
    } catch (error) {
      this.#end();
      await this.#chunks.return?.().catch(() => {});
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
    // The body itself decides whether it may be read, or read again.
    this.#chunks = this.#body[Symbol.asyncIterator]();
    return this;
  }
}
