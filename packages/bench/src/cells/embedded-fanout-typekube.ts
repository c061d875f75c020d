import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { runCell } from "../cell.js";

const watchers = 1_000;

await runCell(
  async ({ count }) => {
    const server = await startApiServer();
    const maps = (await server.client()).resource(ConfigMap, "default");
    const { metadata } = await maps.list();
    let seen = 0;
    let finish = (_: number): void => {};
    const finished = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const watch = async () => {
      for await (const _ of maps.watch({ resourceVersion: metadata.resourceVersion })) {
        if (++seen === count) {
          finish(seen);
        }
      }
    };
    for (let watcher = 0; watcher < watchers; watcher++) {
      void watch();
    }
    while (server.openWatches < watchers) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return async () => {
      for (let made = 0; made < count / watchers; made++) {
        await maps.create({ metadata: { name: `map-${made}` }, data: { key: "value" } });
      }
      return finished;
    };
  },
  (seen) => seen,
);
