import type { ApiObject } from "../objects/api-object.js";

/** The target container of a request. */
export interface PodTarget {
  /** The stored pod. */
  readonly pod: ApiObject;
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Name of the pod. */
  readonly name: string;
  /** Name of the container. */
  readonly container: string;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Aborted once the container has ended, by the status of the pod, or the pod is gone. */
  readonly ended: AbortSignal;
}

/**
 * Options of a log request. The server applies all of them itself, except `follow`, `previous` and, with `follow`,
 * `tailLines`.
 */
export interface PodLogRequest extends PodTarget {
  /** `true` to keep streaming new lines. */
  readonly follow: boolean;
  /** `true` for the log of the previous container instance. */
  readonly previous: boolean;
  /** `true` to prefix each line with its time; the server does that. */
  readonly timestamps: boolean;
  /** Number of last lines to return; `undefined` for all. */
  readonly tailLines: number | undefined;
  /** Maximum bytes of the response; `undefined` for no limit. */
  readonly limitBytes: number | undefined;
  /** Time of the oldest lines to include, in milliseconds since the epoch. */
  readonly sinceMs: number | undefined;
}

/** A log line without its line end. Lines without a time get the time of the request. */
export type PodLogLine =
  | string
  | {
      readonly text: string;
      /** Milliseconds since the epoch. */
      readonly timeMs: number;
      /** `true` when the next line continues this one, as runtimes split long lines. Default false. */
      readonly isPartial?: boolean | undefined;
    }
  | {
      readonly text: string;
      /** RFC 3339 with up to nine fractional digits and any offset, as runtimes write it. */
      readonly time: string;
      readonly isPartial?: boolean | undefined;
    };

/** The size of a terminal. */
export interface TerminalSize {
  /** Columns. */
  readonly width: number;
  /** Rows. */
  readonly height: number;
}

/** A process in a container, as its handler sees it. */
export interface PodSession extends PodTarget {
  /** Command to run; empty for `attach`. */
  readonly command: readonly string[];
  /** `true` when the client requested a terminal. */
  readonly tty: boolean;
  /** Input from the client. Empty when it sends none. */
  readonly stdin: AsyncIterable<Uint8Array>;
  /** Size changes of the client's terminal. */
  readonly resizes: AsyncIterable<TerminalSize>;
  /** Writes to the client's standard output; waits while the client is slow. */
  stdout(data: Uint8Array | string): Promise<void>;
  /** Writes to the client's standard error or, with a terminal, to standard output. */
  stderr(data: Uint8Array | string): Promise<void>;
}

/** A forwarded port, as its handler sees it. */
export interface PodPort {
  /** The stored pod. */
  readonly pod: ApiObject;
  /** Namespace of the pod. */
  readonly namespace: string;
  /** Name of the pod. */
  readonly name: string;
  /** Number of the forwarded port. */
  readonly port: number;
  /** Bytes from the client. */
  readonly data: AsyncIterable<Uint8Array>;
  /** Sends bytes to the client; waits while the client is slow. */
  write(data: Uint8Array | string): Promise<void>;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Aborted once the pod has ended or is gone. */
  readonly ended: AbortSignal;
}

/** A port of a node, as its handler sees it. */
export interface NodePort extends Omit<PodPort, "ended" | "namespace" | "pod"> {
  /** The stored node. */
  readonly node: ApiObject;
}

/**
 * Handlers that stand in for the kubelet: they define the behaviour of containers. Without a handler the server responds
 * with 501.
 */
export interface PodHandlers {
  /** Returns the lines of a container log. With `follow` the iteration may continue until the signal aborts. */
  readonly log?:
    | ((request: PodLogRequest) => AsyncIterable<PodLogLine> | Iterable<PodLogLine>)
    | undefined;
  /** Returns the exit code; `undefined` means 0. */
  readonly exec?: ((session: PodSession) => Promise<number | undefined>) | undefined;
  /** Returns the exit code of the container's main process; `undefined` means 0. */
  readonly attach?: ((session: PodSession) => Promise<number | undefined>) | undefined;
  /**
   * Serves a connection to a port of a pod: one that is forwarded, or one of the subresource `proxy`, which speaks HTTP.
   * Resolves when the connection ends.
   */
  readonly portForward?: ((port: PodPort) => Promise<void>) | undefined;
  /** Serves a connection to a port of a node, which speaks HTTP. Resolves when the connection ends. */
  readonly nodePort?: ((port: NodePort) => Promise<void>) | undefined;
}
