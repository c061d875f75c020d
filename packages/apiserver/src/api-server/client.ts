import { type Clock, type HttpSend, loadOnce } from "@typekube/core/internal";
import type { Client, ConnectOptions } from "typekube";
import type { UserOptions } from "../access/user-book.js";

/** Options of a client of an embedded server: those of `connect` except the ones that select the server. */
export interface EmbeddedClientOptions extends Pick<ConnectOptions, "defaults" | "namespace"> {
  /** User of the client: the name of a user that the server knows, or a description. Default: an administrator. */
  readonly as?: UserOptions | string | undefined;
  /**
   * User agent. Up to its first slash it names the field manager of calls without `fieldManager`. Default: the same as
   * for a client with a socket.
   */
  readonly userAgent?: string | undefined;
}

const loadClient = loadOnce(() => import("typekube"));

/**
 * Creates a client of an embedded server, on its clock and without sockets. Loads the client library on first use: the
 * server does not depend on it.
 */
export async function connectInProcess(
  server: { readonly send: HttpSend; readonly server: string; readonly clock: Clock },
  { userAgent, ...options }: Omit<EmbeddedClientOptions, "as"> = {},
): Promise<Client> {
  const { connect } = await loadClient();
  const transportOptions = { userAgent };
  return connect({ ...options, transport: server, clock: server.clock, transportOptions });
}
