import { createServer, type RequestListener } from "node:http";
import { Duplex } from "node:stream";
import type { PodPort } from "../pod-handlers.js";

/** Texts of the responses, by HTTP status. */
const reasons: Readonly<Record<number, string>> = {
  404: "Not found: the only page is /\n",
  405: "Method not allowed: use GET or HEAD\n",
};

/**
 * Serves an HTTP page on a forwarded port until the client ends the connection, or the pod ends.
 *
 * @param onRequest - called with a line for the log: `GET / 200`.
 */
export async function serveHttpPage(
  port: PodPort,
  onRequest: (line: string) => void,
): Promise<void> {
  const page = `Port ${port.port} of the pod ${port.namespace}/${port.name}.\nThis page comes from a container in memory: its image does not run.\n`;
  const answer: RequestListener = (request, response) => {
    const { method = "", url = "" } = request;
    const isRead = method === "GET" || method === "HEAD";
    const status = !isRead ? 405 : new URL(url, "http://pod").pathname === "/" ? 200 : 404;
    const body = reasons[status] ?? page;
    response.writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      "content-length": Buffer.byteLength(body),
      ...(status === 405 ? { allow: "GET, HEAD" } : {}),
    });
    response.end(method === "HEAD" ? "" : body);
    request.resume();
    onRequest(`${method} ${url} ${status}`);
  };
  const server = createServer(answer);
  const stream = streamOf(port);
  server.emit("connection", stream);
  await new Promise<void>((resolve) => stream.once("close", resolve));
}

/** Returns a forwarded port as a stream, which the HTTP server of Node takes in place of a socket. */
function streamOf({ data, write, signal, ended }: PodPort): Duplex {
  const source = data[Symbol.asyncIterator]();
  const stream = new Duplex({
    async read() {
      try {
        const { done, value } = await source.next();
        this.push(done === true ? null : Buffer.from(value));
      } catch (error) {
        this.destroy(error as Error);
      }
    },
    write(chunk: Buffer, _encoding, callback) {
      write(chunk).then(() => callback(), callback);
    },
    destroy(error, callback) {
      signal.removeEventListener("abort", onAbort);
      ended.removeEventListener("abort", onAbort);
      callback(error);
    },
  });
  const onAbort = () => stream.destroy();
  signal.addEventListener("abort", onAbort);
  ended.addEventListener("abort", onAbort);
  stream.on("error", () => {});
  return stream;
}
