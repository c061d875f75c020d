import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, it } from "vitest";
import { largeReads } from "../src/sockets/large-reads.js";

/** Sends bytes to a socket with large reads; returns the chunks that it emitted. */
async function received(...parts: readonly Buffer[]): Promise<Buffer[]> {
  const server = createServer((peer) => {
    for (const part of parts) {
      peer.write(part);
    }
    peer.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect({ host: "127.0.0.1", port, ...largeReads() });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  server.close();
  return chunks;
}

it("a socket emits all bytes in order, and no chunk changes afterwards", async () => {
  const sent = Buffer.alloc(3_000_000);
  for (let at = 0; at < sent.byteLength; at += 4) {
    sent.writeUInt32LE(at, at);
  }
  const chunks = await received(
    sent.subarray(0, 5),
    sent.subarray(5, 70_000),
    sent.subarray(70_000),
  );
  expect(Buffer.concat(chunks).equals(sent)).toBe(true);
});

it("chunks that are small share memory, and a socket that receives much gets larger memory", async () => {
  const [few] = await received(Buffer.from("few"));
  expect(few?.buffer.byteLength).toBe(16 * 1024);
  const sizes = (await received(Buffer.alloc(8_000_000))).map(({ buffer }) => buffer.byteLength);
  expect(sizes[0]).toBe(16 * 1024);
  expect(Math.max(...sizes)).toBe(256 * 1024);
});
