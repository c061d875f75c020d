// Read, change and write an object; start again when somebody else wrote in between.
import { startApiServer } from "@typekube/apiserver";
import { isConflict, mergePatch } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");
const stale = await configMaps.create({ metadata: { name: "counter" }, data: { n: "1" } });

await configMaps.patch("counter", mergePatch({ data: { by: "somebody" } }));
const update = configMaps.update({ ...stale, data: { n: "2" } });
console.log(await update.catch((error) => (isConflict(error) ? "Conflict" : error)));

let tries = 0;
const { data } = await configMaps.modify("counter", async (counter) => {
  tries += 1;
  if (tries === 1) {
    await configMaps.patch("counter", mergePatch({ data: { n: "41" } })); // a concurrent write wins
  }
  counter.data = { ...counter.data, n: String(Number(counter.data?.["n"]) + 1) };
});
console.log(data, `after ${tries} tries`);

// Prints:
// Conflict
// { n: '42', by: 'somebody' } after 2 tries
