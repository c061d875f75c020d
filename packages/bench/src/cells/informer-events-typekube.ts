import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { firstCall } from "./first-typekube-call.js";
import { podFields } from "./pod-fields.js";
import { readVariant } from "./typekube-variant.js";

await runCell(
  async ({ url, variant, count }) => {
    const client = await connect({ server: url });
    await firstCall(client, variant);
    const { encoding } = readVariant(variant);
    return () =>
      new Promise<number>((resolve) => {
        const options = { encoding, labelSelector: `events-${count}` };
        const node = ({
          spec,
        }: {
          readonly spec?: { readonly nodeName?: string | undefined } | undefined;
        }) => (spec?.nodeName ? [spec.nodeName] : []);
        const informer = variant.includes("fields")
          ? client.informer(Pod, { ...options, fields: podFields, indexes: { node } })
          : client.informer(Pod, { ...options, indexes: { node } });
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
