import { CoreV1Api } from "@kubernetes/client-node";
import { runCell } from "../../dist/cell.js";
import { configFor } from "./client-node-config.js";
import { firstCall } from "./first-client-node-call.js";

await runCell(
  async ({ url, variant }) => {
    const api = configFor(url).makeApiClient(CoreV1Api);
    await firstCall(api);
    return () => (variant.includes("pages") ? listPages(api) : api.listPodForAllNamespaces());
  },
  (list) => list.items.length,
);

async function listPages(api) {
  const items = [];
  for (let next = ""; next !== undefined; ) {
    const page = await api.listPodForAllNamespaces({ limit: 500, _continue: next || undefined });
    items.push(...page.items);
    next = page.metadata._continue;
  }
  return { items };
}
