// A database in a pod, used by a program of this machine: by a socket of its own, or by a local port for other programs.
import { connect as connectSocket } from "node:net";
import { startApiServer } from "@typekube/apiserver";
import { Pod } from "typekube/api/core/v1";

await using api = await startApiServer({
  seed: 1,
  pods: {
    /** A database that answers PING. */
    async portForward({ port, data, write }) {
      for await (const question of data) {
        const isPing = String(Buffer.from(question)).startsWith("PING");
        await write(isPing ? `PONG from port ${port}\n` : "ERR\n");
      }
    },
  },
});
await using client = await api.client();
const pods = client.resource(Pod, "default");
await pods.create({
  metadata: { name: "cache-0" },
  spec: {
    containers: [
      { name: "redis", image: "redis:8", ports: [{ name: "redis", containerPort: 6379 }] },
    ],
  },
});

await using forward = await pods.named("cache-0").portForward("redis");
const own = forward.socket(); // new Redis({ ... }) takes such a socket; no local port is needed
own.end("PING\r\n");
for await (const answer of own) {
  console.log("socket:", String(answer).trim());
}

await using local = await forward.listen(0);
const other = connectSocket(local.port, "127.0.0.1");
other.end("PING\r\n");
for await (const answer of other) {
  console.log("local port:", String(answer).trim());
}

// Prints:
// socket: PONG from port 6379
// local port: PONG from port 6379
