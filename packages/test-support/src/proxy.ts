import http from "node:http";
import https from "node:https";
import net from "node:net";
import { TLSSocket } from "node:tls";
import { fixture } from "./servers.js";

/** A proxy that opens tunnels with CONNECT. */
export interface TestProxy extends AsyncDisposable {
  /** URL of the proxy, with user and password if it requires them. */
  readonly url: string;
  readonly port: number;
  /** `host:port` of each tunnel that was opened. */
  readonly tunnels: readonly string[];
  /** Names in the client certificates that a proxy with TLS received. */
  readonly clients: readonly string[];
}

export async function connectProxy(
  options: { secure?: boolean; authorization?: string; reply?: string } = {},
): Promise<TestProxy> {
  const tunnels: string[] = [];
  const clients: string[] = [];
  const sockets = new Set<net.Socket>();
  const tlsOptions = {
    cert: fixture("server.pem"),
    key: fixture("server.key.pem"),
    requestCert: true,
    rejectUnauthorized: false,
  };
  const server = options.secure ? https.createServer(tlsOptions) : http.createServer();
  server.on("connection", (socket: net.Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  server.on("connect", (request, client: net.Socket, head: Buffer) => {
    client.on("error", () => {});
    const name = client instanceof TLSSocket ? client.getPeerCertificate().subject?.CN : undefined;
    if (name !== undefined) {
      clients.push(String(name));
    }
    if (options.reply !== undefined) {
      client.write(options.reply);
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
    clients,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
