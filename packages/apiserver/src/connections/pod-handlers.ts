import type { ApiObject } from "../store/stored-object.js";

/** The container that a request is about. */
export interface PodTarget {
  /** The pod as it is stored. */
  readonly pod: ApiObject;
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
  /** Aborted when the client is gone or the server closes. */
  readonly signal: AbortSignal;
}

/** What is wanted of a log. The server itself sees to all of it but `follow`, `previous` and, with `follow`, `tailLines`. */
export interface PodLogRequest extends PodTarget {
  /** Go on with what is yet to come. */
  readonly follow: boolean;
  /** The log of the container before this one. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Milliseconds since the epoch that lines must not be older than. */
  readonly sinceMs: number | undefined;
}

/** A line of a log without its end. Lines without a time are as old as the request. */
export type PodLogLine = string | { readonly text: string; readonly timeMs: number };

/** The size of a terminal. */
export interface TerminalSize {
  readonly width: number;
  readonly height: number;
}

/** A program that runs in a container, as its handler sees it. */
export interface PodSession extends PodTarget {
  /** What to run; empty for `attach`. */
  readonly command: readonly string[];
  readonly tty: boolean;
  /** What the client types. Empty when it sends nothing. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** New sizes of the client's terminal. */
  readonly resizes: AsyncIterable<TerminalSize>;
  /** Writes to the client, and waits while it is slow. */
  stdout(data: Uint8Array | string): Promise<void>;
  /** The same for the other stream; with a terminal it goes to `stdout`. */
  stderr(data: Uint8Array | string): Promise<void>;
}

/** A forwarded port, as its handler sees it. */
export interface PodPort {
  readonly pod: ApiObject;
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  /** What the client sends. */
  readonly data: AsyncIterable<Uint8Array>;
  write(data: Uint8Array | string): Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Stand in for the kubelet: what containers say and do. Those of `exec`, `attach` and `portForward` are asked over
 * listeners only, since a WebSocket needs a socket. A missing one makes the server answer 501.
 */
export interface PodHandlers {
  readonly log?:
    | ((request: PodLogRequest) => AsyncIterable<PodLogLine> | Iterable<PodLogLine>)
    | undefined;
  /** Returns the exit code; nothing is 0. */
  readonly exec?: ((session: PodSession) => Promise<number | undefined>) | undefined;
  /** The same for the program that the container runs. */
  readonly attach?: ((session: PodSession) => Promise<number | undefined>) | undefined;
  /** Returns when the connection to the port is over. */
  readonly portForward?: ((port: PodPort) => Promise<void>) | undefined;
}
