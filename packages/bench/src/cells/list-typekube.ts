import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { podFields } from "./pod-fields.js";
import { readVariant } from "./typekube-variant.js";
import { warmed } from "./warmed.js";

await runCell(
  async ({ url, variant, ca, token }) => {
    const client = await connect({ server: url, ca, token });
    await firstCall(client, variant);
    const pods = client.resource(Pod);
    return warmed(variant, async (): Promise<{ readonly items: readonly object[] }> => {
      if (variant.includes("fields")) {
        return pods.list({ ...readVariant(variant), fields: podFields });
      }
      if (!variant.includes("pages")) {
        return pods.list(readVariant(variant));
      }
      const items: Pod[] = [];
      for await (const pod of pods.items({ ...readVariant(variant), pageSize: 500 })) {
        items.push(pod);
      }
      return { items };
    });
  },
  (list) => list.items.length,
);
