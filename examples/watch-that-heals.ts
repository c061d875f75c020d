// Follow a collection over connections that die and a history that is forgotten: nothing is missed silently.
import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");
await configMaps.create({ metadata: { name: "a" } });

let snapshots = 0;
for await (const event of client.follow(ConfigMap, { namespace: "default" })) {
  if (event.type === "initial" || event.type === "applied") {
    console.log(event.type, event.object.metadata.name);
  } else if (event.type === "gap") {
    console.log("gap:", event.cause.code); // a new picture follows
  } else if (event.type === "synced") {
    snapshots += 1;
    console.log("synced");
    if (snapshots === 2) {
      break; // ends the watch
    }
    api.fault({ verb: "watch", reset: "before", times: 1 }); // away for a moment
    api.dropWatches();
    await configMaps.create({ metadata: { name: "b" } });
    api.compact(); // the server no longer knows what happened in between
  }
}

// Prints:
// initial a
// synced
// gap: Expired
// initial a
// initial b
// synced
