import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { faultyNamespace, isMeasured, writtenAtMs } from "../faulty-writes.js";
import { latenciesOf } from "../latencies.js";
import { firstCall } from "./first-typekube-call.js";
import { readVariant } from "./typekube-variant.js";

await runCell(
  async ({ url, variant, count }) => {
    const client = await connect({ server: url });
    await firstCall(client, variant);
    const { encoding } = readVariant(variant);
    return () =>
      new Promise<readonly number[]>((resolve) => {
        const informer = client.informer(ConfigMap, {
          namespace: faultyNamespace,
          encoding,
          onError() {},
        });
        const lags: number[] = [];
        const notice = ({ data = {} }: ConfigMap) => {
          // Writes continue after the last counted one.
          if (isMeasured(data) && lags.length < count) {
            lags.push(Date.now() - writtenAtMs(data));
            if (lags.length === count) {
              resolve(lags);
            }
          }
        };
        informer.onChange({ add: notice, update: notice });
      });
  },
  (lags) => lags.length,
  latenciesOf,
);
