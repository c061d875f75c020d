import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { runCell } from "../cell.js";

/** A server that has answered. */
async function started(): Promise<ApiServer> {
  const server = await startApiServer();
  await (await server.client()).version();
  return server;
}

await runCell(
  async () => {
    // The second of a process, as for every test but the first of a file: the tables are loaded.
    await started();
    return started;
  },
  () => 1,
);
