import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { readVariant } from "./typekube-variant.js";

await runCell(
  async ({ url, variant, ca, token }) => {
    const client = await connect({ server: url, ca, token });
    await firstCall(client, variant);
    const { encoding } = readVariant(variant);
    return async () => {
      const informer = client.informer(Pod, {
        encoding,
        streamingList: variant.includes("streaming"),
        freeze: variant.includes("freeze"),
      });
      await informer.synced();
      return informer;
    };
  },
  (informer) => informer.health.objects,
);
