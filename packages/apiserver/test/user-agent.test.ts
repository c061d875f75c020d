import { ConfigMap } from "@typekube/api/core/v1";
import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { call, configMaps } from "@typekube/test-support/api-calls";
import { type Client, connect } from "typekube";
import { expect, it } from "vitest";

/** Returns the managers recorded for an object that a client created. */
async function managerOf(client: Client, name: string): Promise<unknown> {
  const made = await client.resource(ConfigMap, "default").create({
    metadata: { name },
    data: { k: "v" },
  });
  return made.metadata.managedFields?.map(({ manager }) => manager);
}

const agentsOf = (api: ApiServer) => [...new Set(api.requests.map(({ userAgent }) => userAgent))];

it("SSA3: in-process clients have the same manager name as clients on sockets", async () => {
  await using api = await startApiServer();
  const listener = await api.listen();
  await using onSocket = await connect(listener.connectOptions());
  await using inProcess = await api.client();
  await using overTransport = await connect({ transport: api });
  expect(await managerOf(onSocket, "a")).toEqual(["typekube"]);
  expect(await managerOf(inProcess, "b")).toEqual(["typekube"]);
  expect(await managerOf(overTransport, "c")).toEqual(["typekube"]);
  expect(agentsOf(api)).toEqual([expect.stringMatching(/^typekube\/\d+\.\d+\.\d+ \(.+\) node\//)]);
});

it("SSA3: a custom user agent names the manager; without one it is unknown", async () => {
  await using api = await startApiServer();
  await using client = await api.client({ userAgent: "shop-operator/1.4" });
  expect(await managerOf(client, "a")).toEqual(["shop-operator"]);
  const transportOptions = { userAgent: "checkout" };
  await using other = await connect({ transport: api, transportOptions });
  expect(await managerOf(other, "b")).toEqual(["checkout"]);
  const named = await call(
    api,
    "POST",
    configMaps,
    { metadata: { name: "d" }, data: { k: "v" } },
    { "user-agent": "" },
  );
  expect(named.body.metadata.managedFields[0].manager).toBe("unknown");
});
