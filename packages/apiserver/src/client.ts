import type { Clock, HttpSend } from "@typekube/core/internal";
import type { Client, ConnectOptions } from "typekube";
import type { UserOptions } from "./access/user-book.js";

/** Options of a client of an embedded server: all of `connect`'s but those that say where to. */
export interface EmbeddedClientOptions extends Pick<ConnectOptions, "defaults" | "namespace"> {
  /** Whose client it is: a user by name, as the server was told of them, or described here. Default: an administrator. */
  readonly as?: UserOptions | string | undefined;
  /**
   * What the server calls the managers of fields by, up to the first slash, where calls name no `fieldManager`. Default:
   * that of a client on a socket.
   */
  readonly userAgent?: string | undefined;
}

/**
 * A client of an embedded server, on its clock and without sockets. The client library is loaded when the first one is
 * asked for: the server itself does not need it.
 */
export async function connectInProcess(
  server: { readonly send: HttpSend; readonly server: string; readonly clock: Clock },
  { userAgent, ...options }: Omit<EmbeddedClientOptions, "as"> = {},
): Promise<Client> {
  const { connect } = await import("typekube");
  const transportOptions = { userAgent };
  return connect({ ...options, transport: server, clock: server.clock, transportOptions });
}
