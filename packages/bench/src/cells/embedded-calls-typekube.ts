import { startApiServer } from "@typekube/apiserver";
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { warmUpCalls } from "../concurrently.js";

/** Sends creates, gets and deletes one after the other through a listener of the embedded server, as users' tests do. */
await runCell(
  async ({ count, variant }) => {
    const api = await startApiServer();
    const isSecure = variant === "tls";
    const listener = await api.listen(isSecure ? {} : { tls: false, anonymous: true });
    const client = await connect(
      isSecure ? listener.connectOptions() : { server: listener.server },
    );
    const maps = client.resource(ConfigMap, "default");
    const rounds = async (many: number) => {
      for (let round = 0; round < many; round += 1) {
        await maps.create({ metadata: { name: "a" } });
        await maps.get("a");
        await maps.delete("a");
      }
      return many;
    };
    await rounds(Math.min(50, warmUpCalls(count)));
    return () => rounds(count);
  },
  (made) => made,
);
