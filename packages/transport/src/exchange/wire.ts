import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/** A request as sent on a connection: the path includes the server's base path, and nothing is added any more. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | Uint8Array | null;
  /**
   * undici's option that closes the connection after the response. By default undici does so after a DELETE with a
   * body, which some servers do not read; API servers accept DeleteOptions there.
   */
  readonly reset?: boolean;
}

/** A request whose body, if any, is complete. */
export interface WholeRequest extends WireRequest {
  readonly body: Uint8Array | null;
}

/** Control of the connection for the receiver of a response. */
export interface WireController {
  /** `true` when a chunk's memory may also contain bytes of other exchanges. Default false. */
  readonly sharesChunks?: boolean;
  /** Ends the exchange. The handler must ignore later calls. */
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/**
 * Receives the progress of an exchange. It is the part of undici's handler that we use, so that undici's dispatchers
 * fit.
 */
export interface WireHandler {
  /** Called when the request is about to be sent. Throwing cancels it and leaves the connection intact. */
  onRequestStart(controller: WireController): void;
  onResponseStart(controller: WireController, status: number, headers: IncomingHttpHeaders): void;
  onResponseData(controller: WireController, chunk: Buffer): void;
  onResponseEnd(controller: WireController): void;
  /** Called at any time before the end, even before the start. */
  onResponseError(controller: WireController, error: Error): void;
  /**
   * Called in place of the response when the server switched to another protocol. The socket is paused and belongs to
   * the receiver.
   *
   * @param head - first bytes of the new protocol.
   */
  onProtocolSwitch?(headers: Record<string, string>, socket: Socket, head: Buffer): void;
}

/** Sends requests over existing or new connections. */
export interface WireDispatcher {
  dispatch(request: WireRequest, handler: WireHandler): unknown;
}

/** A place on a connection for one exchange. */
export interface Lease {
  readonly dispatcher: WireDispatcher;
  /** Returns the place; `broken` when the exchange was not completed. */
  release(broken: boolean): void;
}
