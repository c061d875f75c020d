import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { benchNamespace } from "../bench-objects.js";
import { runWholeCell } from "../cell.js";

/** Fills the cache of an informer after the start of the process: the part of a controller's start that is not its own. */
await runWholeCell(
  async ({ url, ca, token }) => {
    const client = await connect({ server: url, ca, token });
    const informer = client.informer(ConfigMap);
    await informer.synced();
    return informer;
  },
  (informer) => informer.list({ namespace: benchNamespace }).length,
);
