import type { HttpSend } from "@typekube/core/internal";
import type { Client } from "typekube";
import { type UserOptions, userOf } from "../access/user-book.js";
import type { ServerContext } from "../context/server-context.js";
import { administrator, type User } from "../objects/user.js";
import type { Handler } from "../server/handler.js";
import type { ApiServer } from "./api-server.js";
import { connectInProcess, type EmbeddedClientOptions } from "./client.js";
import { upgradesInProcess } from "./upgrades-in-process.js";

/** Access to a server without a socket. */
export interface InProcess extends Pick<ApiServer, "clock" | "send" | "server"> {
  /** Returns a transport for requests of a user. */
  sendAs(user: User): HttpSend;
  client(options?: EmbeddedClientOptions): Promise<Client>;
}

/** Accepts requests of this process, as an administrator by default. */
export function inProcess(context: ServerContext, handler: Handler): InProcess {
  const sendAs = (otherwise: User): HttpSend =>
    upgradesInProcess((request, upgrade) =>
      handler(request, { caller: { protocol: "in-process", otherwise }, upgrade }),
    );
  const transport = {
    send: sendAs(administrator),
    server: "http://embedded",
    clock: context.clock,
  };
  return {
    ...transport,
    sendAs,
    client: ({ as, ...options } = {}) =>
      connectInProcess(
        as === undefined ? transport : { ...transport, send: sendAs(userNamed(context, as)) },
        options,
      ),
  };
}

function userNamed({ access }: ServerContext, who: UserOptions | string): User {
  return typeof who === "string" ? access.users.byName(who) : userOf(who);
}
