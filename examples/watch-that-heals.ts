// Follow a collection across broken connections and expired history, without missing changes silently.
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
    console.log("gap:", event.cause.code); // a new snapshot follows
  } else if (event.type === "synced") {
    snapshots += 1;
    console.log("synced");
    if (snapshots === 2) {
      break; // ends the watch
    }
    api.fault({ verb: "watch", reset: "before", times: 1 }); // the next watch request fails
    api.dropWatches();
    await configMaps.create({ metadata: { name: "b" } });
    api.compact(); // the server forgets the changes in between
  }
}

// Prints:
// initial a
// synced
// gap: Expired
// initial a
// initial b
// synced
