import type { ResourceDescriptor } from "@typekube/api";
import type { Clock, HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { AccessOptions } from "./access/access.js";
import type { EmbeddedClientOptions } from "./client.js";
import type { Listener, ListenOptions } from "./connections/listen.js";
import type { PodHandlers } from "./connections/pod-handlers.js";
import type { ApiServerControl } from "./control/api-server-control.js";
import type { FaultRule } from "./control/fault-rule.js";
import type { Fault } from "./control/faults.js";
import type { JournalEntry } from "./control/journal.js";
import type { LoadSource } from "./control/load.js";
import type { ActorOptions } from "./controllers/controller-options.js";
import type { DefinitionOptions } from "./custom-resources/follow-definitions.js";
import type { RegistryOptions } from "./resources/resource-registry.js";
import type { WatchChoice } from "./watch/watch-hub.js";

/** How an embedded API server behaves. */
export interface ApiServerOptions extends AccessOptions, ActorOptions, DefinitionOptions {
  /** The minor release that it behaves like, as far as releases from 1.33 on differ. Default "1.37". */
  readonly version?: string;
  /** Names, UIDs and timeouts follow from it. Default 1. */
  readonly seed?: number;
  /** `"virtual"` stands still until `clock.advance()`. Default: real time. */
  readonly clock?: Clock | "real" | "virtual";
  /** How many events each resource remembers for watches and old reads. Default 1000. */
  readonly historyLimit?: number;
  /**
   * Milliseconds of the server's clock after which a state can be read no more once others came after it: lists at an exact
   * version and further pages are 410 then. `Infinity`: it lasts as long as the history. Default 300,000, as etcd is
   * compacted by a real server. Watches go by `historyLimit` alone.
   */
  readonly historyAgeMs?: number;
  /** How many requests {@link ApiServer.requests} keeps; beyond, the oldest tenth goes. Default 100,000. */
  readonly journalLimit?: number;
  /** Which group-versions to switch on or off, as the flag of a real server: `"api/all=true"`. */
  readonly runtimeConfig?: RegistryOptions["runtimeConfig"];
  /** Gates to switch, as the flag of a real server. What is left out is as the release has it: no CBOR. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** What is in it from the start: YAML or JSON as text, objects, or `{ path }` of a file or folder. */
  readonly load?: LoadSource | undefined;
  /** Resources to serve besides the built-in ones, without a schema. */
  readonly resources?: readonly ResourceDescriptor[];
  /**
   * Definitions whose schema has rules in CEL (`x-kubernetes-validations`) are refused. Default: they are taken with a
   * warning, and the rules are not evaluated.
   */
  readonly enforceCel?: boolean;
  /** What containers say and do: logs, exec, attach, port-forward. Default: the server answers 501. */
  readonly pods?: PodHandlers;
}

/** An embedded API server that is running. */
export interface ApiServer<C extends Clock = Clock> extends ApiServerControl {
  /** Answers requests in process, as an administrator unless they carry a token: a transport without sockets. */
  readonly send: HttpSend;
  /** The address that stands for the server in process. */
  readonly server: string;
  readonly clock: C;
  /** What a real server would complain of while it starts: gates that are on their way out. */
  readonly warnings: readonly string[];
  /** The requests so far, in order: the last ones, up to `journalLimit`. */
  readonly requests: readonly JournalEntry[];
  /** The version of the last write. */
  readonly resourceVersion: string;
  /** How many watches are open. */
  readonly openWatches: number;
  /** A client of this server, on its clock and without sockets. */
  client(options?: EmbeddedClientOptions): Promise<Client>;
  /** Opens a listener. It lets nobody in but who shows a token or a certificate that the server knows. */
  listen(options?: ListenOptions): Promise<Listener>;
  /**
   * Lets something go wrong.
   *
   * @throws {KubeError} `InvalidArgument` for a rule by which nothing ever would, such as one of a verb that there is not.
   */
  fault(rule: FaultRule): Fault;
  /**
   * Another server that begins with all that is in this one, and shares nothing that changes: for a test of its own. Takes
   * no longer for many objects than for few. Faults, listeners and the journal are its own.
   */
  fork(): ApiServer<C>;
  /** Ends open watches as a dying connection would; returns how many. */
  dropWatches(choice?: WatchChoice): number;
  /** Ends watches, sockets and timers. Can be called again. */
  close(options?: CloseOptions): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** How a server ends. */
export interface CloseOptions {
  /**
   * Milliseconds of the server's clock in which it says that it is not ready, and answers still; then watches end, and
   * answers that were begun are completed. Default: it ends at once.
   */
  readonly delayMs?: number | undefined;
}
