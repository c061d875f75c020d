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
import { closedError } from "./closed-error.js";
import { describe } from "./exchange.js";

/** A way to a server that belongs to somebody else. */
export interface BorrowedTransport {
  readonly send: HttpSend;
  /** Ends what came through here and is still under way, and lets nothing in any more. The way itself stays open for others. */
  close(): Promise<void>;
}

/** An answer of which only the status was looked at must not stay for as long as its caller's signal, or the door. */
const unread = new FinalizationRegistry<() => void>((end) => end());

/** Makes a door in front of a way to a server. */
export function borrowTransport(next: HttpSend): BorrowedTransport {
  /** What ends each exchange that is under way. */
  const open = new Set<(reason: KubeError) => void>();
  let isClosed = false;
  const assertOpen = (request?: HttpRequest) => {
    if (isClosed) {
      throw closedError(request && describe(request));
    }
  };

  /** A call is over soon: who waits for it is told, and it goes on by itself. A signal each would cost a sixth of a call in process. */
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

  /** A stream may be silent for hours: it is ended by its signal. */
  const stream = async (request: HttpRequest): Promise<HttpResponse> => {
    const abort = linkAbort(request.signal);
    open.add(abort.abort);
    const end = () => {
      open.delete(abort.abort);
      abort[Symbol.dispose]();
    };
    try {
      const response = await next({ ...request, signal: abort.signal });
      const body = new EndingBody(
        response.body,
        () => {
          unread.unregister(end);
          end();
        },
        () => {},
      );
      unread.register(body, end, end);
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

/** Reads no further. That it was given up already, or fails, is nobody's concern. */
async function giveUp(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {});
}

/** A body whose bytes have come before anybody asked for them, as most have. */
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

/** A body that says when nobody reads it any more. A class: an end before the first read counts as well. */
class EndingBody implements ReclaimedBytes, AsyncIterableIterator<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #end: () => void;
  readonly #assertOpen: () => void;
  #chunks: AsyncIterator<Uint8Array> | undefined;

  /** @param assertOpen - asked before each chunk. */
  constructor(body: AsyncIterable<Uint8Array>, end: () => void, assertOpen: () => void) {
    this.#body = body;
    this.#end = end;
    this.#assertOpen = assertOpen;
  }

  reclaimChunks(): void {
    reclaimChunks(this.#body);
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#chunks ??= this.#body[Symbol.asyncIterator]();
    try {
      this.#assertOpen();
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
    // It is for the body to say whether it may be read, or read again.
    this.#chunks = this.#body[Symbol.asyncIterator]();
    return this;
  }
}
