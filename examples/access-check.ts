// Ask the server who you are and what you may do, before trying.
import { startApiServer } from "@typekube/apiserver";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();

const { username } = await client.whoAmI();
console.log(username);
for (const [verb, resource] of [
  ["list", "pods"],
  ["delete", "nodes"],
] as const) {
  const { allowed } = await client.can({ verb, resource, namespace: "default" });
  console.log(verb, resource, allowed ? "yes" : "no");
}
const metrics = await client.can({ verb: "get", path: "/metrics" });
console.log("get /metrics", metrics.allowed ? "yes" : "no");

// Prints:
// system:admin
// list pods yes
// delete nodes yes
// get /metrics yes
