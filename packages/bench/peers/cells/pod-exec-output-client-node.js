import { Writable } from "node:stream";
import { Exec } from "@kubernetes/client-node";
import { benchPod } from "../../dist/bench-pod.js";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";

await runCell(
  async ({ url, count }) => {
    const exec = new Exec(configFor(url));
    const { namespace, name, container } = benchPod;
    const read = (bytes) =>
      new Promise((resolve, reject) => {
        let received = 0;
        let status;
        const stdout = new Writable({
          write(chunk, _encoding, done) {
            received += chunk.length;
            done();
          },
          final(done) {
            done();
            resolve(status?.status === "Failure" ? -1 : received);
          },
        });
        const command = ["output", String(bytes)];
        exec
          .exec(namespace, name, container, command, stdout, null, null, false, (given) => {
            status = given;
          })
          .catch(reject);
      });
    await read(1);
    return () => read(count);
  },
  (received) => received,
);
