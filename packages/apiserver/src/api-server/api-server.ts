import type { ResourceDescriptor } from "@typekube/api";
import type { Clock, HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { AccessOptions } from "../access/access.js";
import type { ActorOptions } from "../controllers/controller-options.js";
import type { DefinitionOptions } from "../custom-resources/follow-definitions.js";
import type { FaultRule } from "../faults/fault-rule.js";
import type { Fault } from "../faults/faults.js";
import type { JournalEntry } from "../journal/journal.js";
import type { Listener, ListenOptions } from "../listener/listen.js";
import type { PodHandlers } from "../pod-streams/pod-handlers.js";
import type { RegistryOptions } from "../resources/resource-registry.js";
import type { LoadSource } from "../server/load.js";
import type { WatchSelector } from "../store/watch-hub.js";
import type { ApiServerControl } from "./api-server-control.js";
import type { EmbeddedClientOptions } from "./client.js";

/** Options of an embedded API server. */
export interface ApiServerOptions extends AccessOptions, ActorOptions, DefinitionOptions {
  /** The minor release to emulate, as far as releases from 1.33 on differ. Default "1.37". */
  readonly version?: string | undefined;
  /** Seed of generated names, UIDs and timeouts. Default 1. */
  readonly seed?: number | undefined;
  /** `"virtual"` advances only through `clock.advance()`. Default: real time. */
  readonly clock?: Clock | "real" | "virtual" | undefined;
  /** Number of events that each resource keeps for watches and reads of old states. Default 1000. */
  readonly historyLimit?: number | undefined;
  /**
   * Milliseconds of the server's clock after which an outdated state can no longer be read: lists at an exact
   * resourceVersion and continue tokens then get 410. `Infinity`: as long as the history holds it. Default 300,000, the
   * etcd compaction interval of a real server. Watches are limited by `historyLimit` only.
   */
  readonly historyAgeMs?: number | undefined;
  /** Number of requests that {@link ApiServer.requests} keeps; beyond it, the oldest tenth is dropped. Default 100,000. */
  readonly journalLimit?: number | undefined;
  /** Group-versions to enable or disable, in the syntax of the real server's flag: `"api/all=true"`. */
  readonly runtimeConfig?: RegistryOptions["runtimeConfig"] | undefined;
  /** Feature gates to set, like the real server's flag. Omitted gates have the release's defaults, so CBOR is off. */
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** Initial objects: YAML or JSON as text, objects, or `{ path }` of a file or folder. */
  readonly load?: LoadSource | undefined;
  /** Resources to serve in addition to the built-in ones, without a schema. */
  readonly resources?: readonly ResourceDescriptor[] | undefined;
  /**
   * Rejects definitions whose schema has CEL rules (`x-kubernetes-validations`). Default: they are accepted with a
   * warning, and the rules are not evaluated.
   */
  readonly enforceCel?: boolean | undefined;
  /** Handlers for the container side of logs, exec, attach and port-forward. Default: the server responds with 501. */
  readonly pods?: PodHandlers | undefined;
}

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
