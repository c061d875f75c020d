import { once } from "node:events";
import { createServer } from "node:net";
import { PortForward } from "@kubernetes/client-node";
import { benchPod } from "../../dist/bench-pod.js";
import { runCell } from "../../dist/cell.js";
import { startLoad } from "../../dist/start-load.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count, variant }) => {
    const forward = new PortForward(configFor(url));
    const { namespace, name, port } = benchPod;
    const server = createServer((socket) => {
      socket.on("error", () => {});
      void forward.portForward(namespace, name, [port], socket, null, socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const load = startLoad(`http://127.0.0.1:${server.address().port}`, variant);
    return () => load(count);
  },
  ({ count }) => count,
);
