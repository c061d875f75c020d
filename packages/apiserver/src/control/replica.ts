import type { HttpSend } from "@typekube/core";
import type { Client } from "typekube";
import { administrator } from "../access/user.js";
import { connectInProcess, type EmbeddedClientOptions } from "../client.js";
import {
  type Listener,
  type ListenerParts,
  type ListenOptions,
  listen,
} from "../connections/listen.js";
import type { Handler } from "../handler.js";
import type { ServerContext } from "../server-context.js";
import { type Follower, followStore, type Lag } from "./follower.js";

/** A second API server over the same store, which lags behind it. Writes and reads of the newest go to the store itself. */
export interface Replica {
  /** Answers requests in process, as an administrator unless they carry a token. */
  readonly send: HttpSend;
  /** The address that stands for it in process. */
  readonly server: string;
  /** How many writes it has not seen yet. */
  readonly behind: number;
  /** Lets it see the next so many writes. Default: all that there are. */
  catchUp(writes?: number): void;
  /** A client of this server only. */
  client(options?: Omit<EmbeddedClientOptions, "as">): Promise<Client>;
  /** Opens a listener of this server, with the users and the certificates of the first. */
  listen(options?: ListenOptions): Promise<Listener>;
}

/** What a replica is made of. */
export interface ReplicaParts {
  readonly context: ServerContext;
  readonly handler: Handler;
  readonly listener: Omit<ListenerParts, "handler">;
  /** Learns of what must be closed with the server. */
  own(part: { close(): Promise<void> }): void;
}

/** Starts one; it begins with everything that there is. */
export function createReplica(
  { context, handler, listener, own }: ReplicaParts,
  lag: Lag,
): { readonly replica: Replica; readonly follower: Follower } {
  const follower = followStore(context, lag, context.store.fork());
  const through: Handler = (http, arrival) => handler(http, { ...arrival, follower });
  const caller = { protocol: "in-process", otherwise: administrator } as const;
  const send: HttpSend = (http) => through(http, { caller });
  const server = "http://embedded-replica";
  own({ close: async () => follower.stop() });
  const replica: Replica = {
    send,
    server,
    get behind() {
      return follower.behind;
    },
    catchUp: (writes) => follower.catchUp(writes),
    client: (options) => connectInProcess({ send, server, clock: context.clock }, options),
    async listen(options = {}) {
      const opened = await listen({ ...listener, handler: through }, options);
      own(opened);
      return opened;
    },
  };
  return { replica, follower };
}
