import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { errorOf } from "./error-of.js";
import type { PodCase } from "./pod-subject.js";

/** Listens on a port of this machine, whose network the pods have. */
async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  server.close();
  await once(server, "close");
}

/** Cases for forwarded ports. */
export const portCases: readonly PodCase[] = [
  {
    id: "XP4-half-closed",
    name: "a connection whose input has ended gets its response, large ones, too",
    async run({ pod }) {
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        let bytes = 0;
        socket.on("data", (chunk) => {
          bytes += chunk.byteLength;
        });
        socket.on("end", () => socket.end(`got ${bytes}`));
      });
      await using forward = await pod.portForward(await listen(server));
      for (const size of [1, 50_000, 3_000_000]) {
        const socket = forward.socket();
        socket.end(Buffer.alloc(size));
        let text = "";
        for await (const chunk of socket) {
          text += chunk;
        }
        assert.equal(text, `got ${size}`);
      }
      await close(server);
    },
  },
  {
    id: "XP5-refused",
    name: "a port on which nothing listens fails that connection only",
    async run({ pod }) {
      const server = createServer();
      const port = await listen(server);
      await close(server);
      await using forward = await pod.portForward(port);
      for (let count = 0; count < 3; count++) {
        const [error] = (await once(forward.socket(), "error").catch((caught) => [caught])) as [
          Error,
        ];
        assert.match(error.message, /connection refused/);
      }
      assert.equal(forward.state, "open");
    },
  },
  {
    id: "XP9-unknown",
    name: "an unknown name of a port, and numbers that no port has, are refused",
    async run({ pod }) {
      for (const port of ["no-such-port", 0, 65_536]) {
        assert.equal((await errorOf(pod.portForward(port))).code, "InvalidArgument");
      }
    },
  },
];
