import type { IncomingHttpHeaders } from "node:http";

/** One request as a connection sends it: the path is the server's, nothing is added any more. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /**
   * undici's option that tells whether the connection ends with the response. By default it does after a DELETE with a body, which some
   * servers do not read; API servers take DeleteOptions there.
   */
  readonly reset?: boolean;
}

/** What the receiver of a response may ask of the connection. */
export interface WireController {
  /** Whether bytes of other exchanges may lie in one piece of memory with this one's. Absent: they do not. */
  readonly sharesChunks?: boolean;
  /** Lets go of the exchange; nothing more is told to the handler that it would have to act on. */
  abort(reason: Error): void;
  pause(): void;
  resume(): void;
}

/** Who is told how an exchange goes. The part of undici's handler that we use, so that a dispatcher of undici fits. */
export interface WireHandler {
  /** The request goes out now. Throwing says that nobody wants it any more, and leaves the connection unharmed. */
  onRequestStart(controller: WireController): void;
  onResponseStart(controller: WireController, status: number, headers: IncomingHttpHeaders): void;
  onResponseData(controller: WireController, chunk: Buffer): void;
  onResponseEnd(controller: WireController): void;
  /** Called at any time before the end, also before the start. */
  onResponseError(controller: WireController, error: Error): void;
}

/** Sends requests over connections that it has or makes. */
export interface WireDispatcher {
  dispatch(request: WireRequest, handler: WireHandler): unknown;
}

/** A place on a connection for one exchange. */
export interface Lease {
  readonly dispatcher: WireDispatcher;
  /** Gives the place back; `broken` when the exchange did not come to its end. */
  release(broken: boolean): void;
}
