import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { KubeError } from "@typekube/core";
import type { PortSocket } from "./port-socket.js";

/** Addresses of a listener by default. The second is left out where the machine has no IPv6. */
const loopback = ["127.0.0.1", "::1"] as const;

/** Local sockets that lead to a port of a pod. */
export interface PortListener extends AsyncDisposable {
  /** The local port. */
  readonly port: number;
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Stops listening and cuts the open connections. */
  close(): Promise<void>;
}

/** Settings of a listener. */
export interface ListenSettings {
  readonly port: number;
  /** Address to listen on. Default: both loopback addresses, of which one must succeed. */
  readonly host: string | undefined;
  readonly connect: () => PortSocket;
  /** Aborts when the port-forward closes, which may be while the ports are being opened. */
  readonly signal: AbortSignal;
}

/**
 * Opens local ports.
 *
 * @throws {KubeError} `Config` when the port is taken or the address cannot be used; the reason of the signal.
 */
export async function listen(settings: ListenSettings): Promise<PortListener> {
  const { port, host, connect, signal } = settings;
  const sockets = new Set<Socket>();
  const onSocket = (socket: Socket) => {
    if (signal.aborted) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    join(socket, connect());
  };
  const servers: Server[] = [];
  let first: AddressInfo | undefined;
  let problem: unknown;
  for (const address of host === undefined ? loopback : [host]) {
    try {
      const server = await open(onSocket, first?.port ?? port, address);
      servers.push(server);
      first ??= server.address() as AddressInfo;
    } catch (error) {
      problem ??= error;
    }
  }
  const close = async () => {
    for (const socket of sockets) {
      socket.destroy();
    }
    await Promise.all(
      servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
    );
  };
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }
  if (first === undefined) {
    throw new KubeError("Config", `local port ${port} cannot be opened: ${messageOf(problem)}`, {
      cause: problem,
      hint: "choose another port; 0 takes a free one",
    });
  }
  const { address } = first;
  return {
    port: first.port,
    url: `http://${address.includes(":") ? `[${address}]` : address}:${first.port}`,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function open(onSocket: (socket: Socket) => void, port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, onSocket);
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      server.on("error", () => {});
      resolve(server);
    });
  });
}

/** Joins a local connection with one of the pod. A failure of either cuts the other. */
function join(local: Socket, remote: PortSocket): void {
  remote.on("error", () => local.resetAndDestroy());
  local.on("error", () => remote.destroy());
  local.on("close", () => remote.destroy());
  local.pipe(remote);
  remote.pipe(local);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
