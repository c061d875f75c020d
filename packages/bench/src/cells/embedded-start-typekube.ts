import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { runCell } from "../cell.js";

/** Starts a server and waits for its first response. */
async function started(): Promise<ApiServer> {
  const server = await startApiServer();
  await (await server.client()).version();
  return server;
}

await runCell(
  async () => {
    // Measures the second server of the process, like every test of a file but the first: the tables are loaded by
    // then.
    await started();
    return started;
  },
  () => 1,
);
