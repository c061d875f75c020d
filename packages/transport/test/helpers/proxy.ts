import http from "node:http";
import https from "node:https";
import net from "node:net";
import { fixture } from "./servers.js";

/** A proxy that makes tunnels with CONNECT. */
export interface TestProxy extends AsyncDisposable {
  /** With user and password when it wants them. */
  readonly url: string;
  readonly port: number;
  /** `host:port` of each tunnel that was made. */
  readonly tunnels: readonly string[];
}

export async function connectProxy(
  options: { secure?: boolean; authorization?: string; answer?: string } = {},
): Promise<TestProxy> {
  const tunnels: string[] = [];
  const sockets = new Set<net.Socket>();
  const pems = { cert: fixture("server.pem"), key: fixture("server.key.pem") };
  const server = options.secure ? https.createServer(pems) : http.createServer();
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("connect", (request, client: net.Socket, head: Buffer) => {
    client.on("error", () => {});
    if (options.answer !== undefined) {
      client.write(options.answer);
      return;
    }
    if (request.headers["proxy-authorization"] !== options.authorization) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const [host = "", port = ""] = (request.url ?? "").split(":");
    const upstream = net.connect({ host, port: Number(port) }, () => {
      tunnels.push(request.url ?? "");
      client.write("HTTP/1.1 200 Connection established\r\nvia: test\r\n\r\n");
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
    client.on("close", () => upstream.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `${options.secure ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    tunnels,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
