import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { concurrently, warmUpCalls } from "../concurrently.js";

const concurrency = 16;

await runCell(
  async ({ count }) => {
    const server = await startApiServer();
    const maps = (await server.client()).resource(ConfigMap, "default");
    let made = 0;
    const create = () =>
      maps.create({ metadata: { name: `map-${made++}` }, data: { key: "value", number: "1" } });
    await concurrently(warmUpCalls(count), concurrency, create);
    return () => concurrently(count, concurrency, create);
  },
  (created) => created,
);
