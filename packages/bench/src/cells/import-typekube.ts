import { runCell } from "../cell.js";

await runCell(
  async ({ url }) =>
    async () => {
      const [{ connect }, { Pod }] = await Promise.all([
        import("typekube"),
        import("typekube/api/core/v1"),
      ]);
      const client = await connect({ server: url });
      return client.resource(Pod);
    },
  () => 1,
);
