import { runCell } from "../cell.js";

await runCell(
  async ({ url }) =>
    async () => {
      const { Agent } = await import("undici/index.js");
      return { url, dispatcher: new Agent() };
    },
  () => 1,
);
