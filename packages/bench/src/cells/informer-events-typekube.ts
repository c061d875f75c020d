import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { readVariant } from "./typekube-variant.js";

await runCell(
  async ({ url, variant, count }) => {
    const client = await connect({ server: url });
    await firstCall(client, variant);
    const { encoding } = readVariant(variant);
    return () =>
      new Promise<number>((resolve) => {
        const informer = client.informer(Pod, {
          encoding,
          labelSelector: `events-${count}`,
          indexes: { node: ({ spec }) => (spec?.nodeName ? [spec.nodeName] : []) },
        });
        let seen = 0;
        const notice = () => {
          if (++seen === count) {
            resolve(seen);
          }
        };
        informer.onChange({ add: notice, update: notice, delete: notice });
      });
  },
  (seen) => seen,
);
