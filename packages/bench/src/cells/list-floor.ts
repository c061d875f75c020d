import { request } from "undici";
import { runCell } from "../cell.js";
import { warmed } from "./warmed.js";

await runCell(
  async ({ url, variant }) =>
    warmed(variant, async () => {
      const { body } = await request(`${url}/api/v1/pods`);
      return JSON.parse(await body.text()) as { items: unknown[] };
    }),
  (list) => list.items.length,
);
