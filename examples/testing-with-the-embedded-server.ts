// Test code against an API server in the same process: faults on demand, and a clock that the test controls.
import assert from "node:assert/strict";
import { startApiServer } from "@typekube/apiserver";
import type { Client } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";

/** The code under test. */
async function countVisit(client: Client): Promise<number> {
  const configMaps = client.resource(ConfigMap, "default");
  const { data } = await configMaps.modify(
    "visits",
    (visits) => {
      visits.data = { count: String(Number(visits.data?.["count"] ?? 0) + 1) };
    },
    { createIfMissing: {} },
  );
  return Number(data?.["count"]);
}

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();

assert.equal(await countVisit(client), 1);
assert.equal(await countVisit(client), 2);
console.log("counts");

const fault = api.fault({ verb: "update", status: 409, reason: "Conflict" });
assert.equal(await countVisit(client), 3);
assert.equal(fault.count, 1);
console.log("counts on after a conflict");

const verbs = api.requests.filter(({ resource }) => resource === "configmaps");
console.log(verbs.map(({ verb }) => verb).join(" "));

// Prints:
// counts
// counts on after a conflict
// get create get update get update get update
