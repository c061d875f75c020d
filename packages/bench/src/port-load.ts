// Connects to a forwarded port: `port-load.js <url> <variant>`, whose number is that of the connections. Each line of its input is a number of bytes
// to read over all connections; the answer is a line with the number of bytes that came.
import { connect } from "node:net";
import { createInterface } from "node:readline";

/** Bytes of the memory that all reads of a connection use. */
const readBytes = 256 * 1024;

const [address = "", variant = ""] = process.argv.slice(2);
const { hostname, port } = new URL(address);
const connections = Number.parseInt(variant, 10) || 1;

for await (const line of createInterface({ input: process.stdin })) {
  const bytes = Number(line) / connections;
  const read = await Promise.all(Array.from({ length: connections }, () => download(bytes)));
  console.log(JSON.stringify({ count: read.reduce((sum, one) => sum + one, 0) }));
}
process.exit();

/** Resolves to the number of bytes that one connection received. */
function download(bytes: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = 0;
    const end = () => {
      socket.destroy();
      resolve(received);
    };
    const socket = connect({
      host: hostname,
      port: Number(port),
      noDelay: true,
      onread: {
        buffer: new Uint8Array(readBytes),
        callback(count) {
          received += count;
          // Not every program passes on the end of a connection.
          if (received >= bytes) {
            end();
          }
          return true;
        },
      },
    });
    socket.on("connect", () => socket.write(`${bytes}\n`));
    socket.on("error", reject);
    socket.on("close", end);
  });
}
