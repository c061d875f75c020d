import { runCell } from "../../dist/cell.js";

await runCell(
  async ({ url }) =>
    async () => {
      const [{ CoreV1Api }, { configFor }] = await Promise.all([
        import("@kubernetes/client-node"),
        import("./client-node-config.js"),
      ]);
      return configFor(url).makeApiClient(CoreV1Api);
    },
  () => 1,
);
