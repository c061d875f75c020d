import { runCell } from "../cell.js";

await runCell(
  async ({ variant }) =>
    async () =>
      import(variant) as Promise<object>,
  () => 1,
);
