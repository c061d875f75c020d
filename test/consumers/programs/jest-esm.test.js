import { startApiServer } from "@typekube/apiserver";
import { ConfigMap } from "typekube/api/core/v1";

test("an informer sees what is written", async () => {
  const api = await startApiServer();
  const client = await api.client();
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  const informer = client.informer(ConfigMap, { namespace: "default" });
  await informer.synced();
  expect(informer.get("a")?.metadata.name).toBe("a");
  await informer.close();
  await api.close();
});
