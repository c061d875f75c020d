import { ConfigMap } from "@typekube/api/core/v1";
import type { KubeError } from "@typekube/core";
import { expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "ended well",
    (error: KubeError) => error.code,
  );

test("closing an in-process client ends its requests, as on a socket; the server and other clients continue", async () => {
  await using api = await startApiServer();
  const client = await api.client();
  const other = await api.client();
  const configMaps = client.resource(ConfigMap, "default");
  await configMaps.create({ metadata: { name: "a" } });
  const informer = client.informer(ConfigMap, { namespace: "default" });
  await informer.synced();
  const watch = configMaps
    .watch({ allowWatchBookmarks: false, fieldSelector: "metadata.name=a" })
    [Symbol.asyncIterator]();
  await watch.next();
  const pending = [
    codeOf(watch.next()),
    codeOf(configMaps.waitFor("b", (one) => one !== undefined)),
  ];
  await client.close();
  expect(await Promise.all(pending)).toEqual(["Closed", "Closed"]);
  expect(await codeOf(configMaps.get("a"))).toBe("Closed");
  await expect.poll(() => informer.health.state).toBe("stopped");
  expect(api.openWatches).toBe(0);
  expect((await other.resource(ConfigMap, "default").get("a")).metadata.name).toBe("a");
  await client.close();
});
