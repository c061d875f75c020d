import type { Clock, HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { FaultRule } from "../faults/fault-rule.js";
import type { Fault } from "../faults/faults.js";
import type { JournalEntry } from "../journal/journal.js";
import type { ListenOptions } from "../listener/listen-options.js";
import type { Listener } from "../listener/listener.js";
import type { WatchSelector } from "../store/watch-hub.js";
import type { ApiServerControl } from "./api-server-control.js";
import type { EmbeddedClientOptions } from "./client.js";

/** A running embedded API server. */
export interface ApiServer<C extends Clock = Clock> extends ApiServerControl {
  /** A transport without sockets. Requests run in process, as an administrator unless they carry a token. */
  readonly send: HttpSend;
  /** URL that identifies the server in process. */
  readonly server: string;
  /** Clock of the server: the given one, or the virtual clock, which has `advance()`. */
  readonly clock: C;
  /** Warnings that a real server would log at startup: deprecated feature gates. */
  readonly warnings: readonly string[];
  /** The latest requests, up to `journalLimit`, oldest first. */
  readonly requests: readonly JournalEntry[];
  /** The resourceVersion of the last write. */
  readonly resourceVersion: string;
  /** Number of open watches. */
  readonly openWatches: number;
  /** Creates an in-process client of this server, on its clock. */
  client(options?: EmbeddedClientOptions): Promise<Client>;
  /** Opens a listener. By default it admits only tokens and client certificates that the server knows. */
  listen(options?: ListenOptions): Promise<Listener>;
  /**
   * Injects a fault.
   *
   * @throws {KubeError} `InvalidArgument` for a rule that could never match, such as one with an unknown verb.
   */
  fault(rule: FaultRule): Fault;
  /**
   * Returns a server with a copy of all objects in this one, for an isolated test. The cost does not depend on the
   * number of objects. Faults, listeners and the journal are not copied.
   */
  fork(): ApiServer<C>;
  /** Ends open watches like a broken connection; returns their number. */
  dropWatches(choice?: WatchSelector): number;
  /** Ends watches, sockets and timers. Can be called repeatedly. */
  close(options?: CloseOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Options for closing a server. */
export interface CloseOptions {
  /**
   * Milliseconds, on the server's clock, before the server stops serving. During this time `/readyz` reports that the
   * server is not ready, and requests are still served. Then watches end, and responses in progress are completed.
   * Default 0: the server stops serving at once.
   */
  readonly delayMs?: number | undefined;
}
