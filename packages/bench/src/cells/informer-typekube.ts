import { connect, type Informer } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { podFields } from "./pod-fields.js";
import { readVariant } from "./typekube-variant.js";

/** The part of an informer that the cell uses. */
type Followed = Pick<Informer, "health" | "synced">;

await runCell(
  async ({ url, variant, ca, token }) => {
    const client = await connect({ server: url, ca, token });
    await firstCall(client, variant);
    const { encoding } = readVariant(variant);
    const options = {
      encoding,
      streamingList: variant.includes("streaming"),
      freeze: variant.includes("freeze"),
    };
    return async () => {
      const informer: Followed = variant.includes("fields")
        ? client.informer(Pod, { ...options, fields: podFields })
        : client.informer(Pod, options);
      await informer.synced();
      return informer;
    };
  },
  (informer) => informer.health.objects,
);
