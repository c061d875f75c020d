// Tell failures apart: codes of one error class, field errors, and an abort that keeps its reason.
import { startApiServer } from "@typekube/apiserver";
import { isInvalid, isNotFound, isTooManyRequests, KubeError } from "typekube";
import { ConfigMap, Pod } from "typekube/api/core/v1";

await using api = await startApiServer({ seed: 1 });
await using client = await api.client();
const configMaps = client.resource(ConfigMap, "default");

console.log(await configMaps.find("nothing")); // a missing object is often no error: `find` returns undefined

try {
  await configMaps.get("nothing");
} catch (error) {
  console.log(isNotFound(error), error instanceof KubeError && error.message);
}

try {
  const containers = [{ name: "main", image: "" }];
  await client.resource(Pod, "default").create({ metadata: { name: "p" }, spec: { containers } });
} catch (error) {
  if (isInvalid(error)) {
    console.log(error.causes.map(({ field }) => field).join(", "));
  }
}

api.fault({ resource: "configmaps", status: 429, reason: "TooManyRequests", retryAfterSeconds: 2 });
try {
  await configMaps.list();
} catch (error) {
  console.log(isTooManyRequests(error) && error.retryAfterMs);
}

const reason = new Error("not interested any more");
const aborted = configMaps.list({ signal: AbortSignal.abort(reason) });
console.log(await aborted.catch((error) => error === reason));

// Prints:
// undefined
// true [NotFound] configmaps "nothing" not found (GET /api/v1/namespaces/default/configmaps/nothing)
// spec.containers[0].image
// 2000
// true
