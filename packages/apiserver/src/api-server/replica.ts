import { KubeError } from "@typekube/core";
import type { HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import type { ServerContext } from "../context/server-context.js";
import { type ListenerParts, listen } from "../listener/listen.js";
import type { ListenOptions } from "../listener/listen-options.js";
import type { Listener } from "../listener/listener.js";
import { administrator } from "../objects/user.js";
import type { Handler } from "../server/handler.js";
import type { OwnedPart } from "../server/lifetime.js";
import { type Follower, followStore, type Lag } from "../server/replicas/follower.js";
import { connectInProcess, type EmbeddedClientOptions } from "./client.js";
import { upgradesInProcess } from "./upgrades-in-process.js";

/** A second API server over the same store that lags behind. Writes and most-recent reads go to the store directly. */
export interface Replica {
  /** Handles requests in process, as an administrator unless they carry a token. */
  readonly send: HttpSend;
  /** URL that identifies the replica in process. */
  readonly server: string;
  /** How many writes it has not seen yet. */
  readonly behind: number;
  /** Applies the next `writes`. Default: all pending ones. */
  catchUp(writes?: number): void;
  /** Creates a client of this replica. */
  client(options?: Omit<EmbeddedClientOptions, "as">): Promise<Client>;
  /** Opens a listener of this replica, with the users and certificates of the first server. */
  listen(options?: ListenOptions): Promise<Listener>;
  /**
   * Stops the replica like an API server that dies: its watches break, its listeners close, and requests are rejected
   * with `ConnectionClosed`. The store and its other servers continue. Can be called repeatedly.
   */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Dependencies of a replica. */
export interface ReplicaParts {
  readonly context: ServerContext;
  readonly handler: Handler;
  readonly listener: Omit<ListenerParts, "handler">;
  /** Registers a resource to close with the server. */
  own(part: OwnedPart): void;
}

/** Starts a replica with the current state of the store. */
export function createReplica(
  { context, handler, listener, own }: ReplicaParts,
  lag: Lag,
): { readonly replica: Replica; readonly follower: Follower } {
  const follower = followStore(context, lag, context.store.fork());
  const closing = new AbortController();
  const listeners: Listener[] = [];
  const through: Handler = async (http, arrival) => {
    closing.signal.throwIfAborted();
    const signals = [closing.signal, ...(http.signal ? [http.signal] : [])];
    // Only streams need the combined signal; the long-lived one should have few listeners.
    const ending = http.mode !== "call" ? { signal: AbortSignal.any(signals) } : {};
    return handler({ ...http, ...ending }, { ...arrival, follower });
  };
  const close: OwnedPart["close"] = async ({ isGraceful = false } = {}) => {
    const end = () =>
      closing.abort(new KubeError("ConnectionClosed", "the embedded replica is closed"));
    if (!isGraceful) {
      end();
    }
    await Promise.all(listeners.splice(0).map((listener) => listener.close({ isGraceful })));
    end();
    follower.stop();
  };
  own({ close });
  const caller = { protocol: "in-process", otherwise: administrator } as const;
  const send = upgradesInProcess((http, upgrade) => through(http, { caller, upgrade }));
  const server = "http://embedded-replica";
  const replica: Replica = {
    send,
    server,
    get behind() {
      return follower.behind;
    },
    catchUp: (writes) => follower.catchUp(writes),
    client: (options) => connectInProcess({ send, server, clock: context.clock }, options),
    async listen(options = {}) {
      closing.signal.throwIfAborted();
      const opened = await listen({ ...listener, handler: through }, options);
      listeners.push(opened);
      return opened;
    },
    close: () => close(),
    [Symbol.asyncDispose]: () => close(),
  };
  return { replica, follower };
}
