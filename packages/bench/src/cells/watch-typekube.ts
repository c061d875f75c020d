import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { readVariant } from "./typekube-variant.js";

await runCell(
  async ({ url, variant, count }) => {
    const client = await connect({ server: url });
    await firstCall(client, variant);
    return async () => {
      let seen = 0;
      const watch = client
        .resource(Pod)
        .watch({ ...readVariant(variant), labelSelector: `events-${count}` });
      for await (const _ of watch) {
        if (++seen === count) {
          break;
        }
      }
      return seen;
    };
  },
  (seen) => seen,
);
