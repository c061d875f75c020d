import { request } from "undici/index.js";
import { runCell } from "../cell.js";
import { firstCall } from "./first-call.js";
import { warmed } from "./warmed.js";

await runCell(
  async ({ url, variant }) => {
    await firstCall(url);
    return warmed(variant, async () => {
      if (variant.includes("pages")) {
        return { items: await listPages(url) };
      }
      const { body } = await request(`${url}/api/v1/pods`);
      return JSON.parse(await body.text()) as { items: unknown[] };
    });
  },
  (list) => list.items.length,
);

async function listPages(url: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const { body } = await request(`${url}/api/v1/pods?limit=500&continue=${next}`);
    const page = JSON.parse(await body.text()) as {
      items: unknown[];
      metadata: { continue?: string };
    };
    items.push(...page.items);
    next = page.metadata.continue;
  }
  return items;
}
