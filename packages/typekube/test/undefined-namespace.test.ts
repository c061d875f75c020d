import { startApiServer } from "@typekube/apiserver";
import { KubeError } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";

// The typical mistake: an environment variable that is not set.
const namespace = process.env["TYPEKUBE_TEST_NAMESPACE_THAT_IS_NOT_SET"] as string;

it("every call that would read all namespaces rejects an explicit undefined namespace", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await using informer = client.informer(ConfigMap);
  const before = api.requests.length;
  for (const call of [
    () => client.resource(ConfigMap, namespace),
    () => client.resource({ apiVersion: "v1", kind: "ConfigMap" }, namespace),
    () => client.informer(ConfigMap, { namespace }),
    () => client.follow(ConfigMap, { namespace }),
    () => client.watchFrom(ConfigMap, { namespace, resourceVersion: "1" }),
    () => informer.list({ namespace }),
  ]) {
    expect(call).toThrow(KubeError);
    expect(call).toThrow(/the namespace is undefined: check that the variable is set/);
  }
  await expect(client.waitFor(ConfigMap, "a", () => true, { namespace })).rejects.toThrow(
    "the namespace is undefined",
  );
  await expect(client.until(ConfigMap, () => true, { namespace })).rejects.toThrow(
    "the namespace is undefined",
  );
  await informer.synced();
  expect(
    api.requests.slice(before).every(({ namespace: requested }) => requested === undefined),
  ).toBe(true);
});

it("reads all namespaces when the argument is omitted", async () => {
  await using api = await startApiServer();
  await using client = await api.client();
  await client.resource(ConfigMap, "default").create({ metadata: { name: "a" } });
  expect(
    (await client.resource(ConfigMap).list()).items.map(({ metadata }) => metadata.name),
  ).toContain("a");
});
