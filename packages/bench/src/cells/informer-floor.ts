import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { firstCall } from "./first-call.js";

interface Named {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

await runCell(
  async ({ url }) => {
    await firstCall(url);
    return async () => {
      const { body } = await request(`${url}/api/v1/pods`);
      const { items } = JSON.parse(await body.text()) as { items: Named[] };
      return new Map(items.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]));
    };
  },
  (cache) => cache.size,
);
