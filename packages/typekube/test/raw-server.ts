import { createServer, type Server, type Socket } from "node:net";

/** A server that sends raw bytes, on any free port. */
export interface RawServer extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts a server that calls `respond` for every request head. The client receives exactly the bytes that `respond`
 * writes.
 */
export async function rawServer(
  respond: (socket: Socket, head: string) => void,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let head = "";
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      head += bytes.toString("latin1");
      if (head.includes("\r\n\r\n")) {
        const request = head;
        head = "";
        respond(socket, request);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns an HTTP response with these bytes as its body and this length as its content-length. */
export function response(contentType: string, body: Buffer | string, length?: number): Buffer {
  const bytes = Buffer.from(body);
  return Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ncontent-length: ${length ?? bytes.length}\r\n\r\n`,
    ),
    bytes,
  ]);
}

/** Returns the head of a response that is sent in chunks, of any length. */
export function chunkedHead(contentType: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${contentType}\r\ntransfer-encoding: chunked\r\n\r\n`;
}

/** Returns one chunk. */
export function chunk(bytes: Buffer | string): Buffer {
  const body = Buffer.from(bytes);
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n")]);
}
