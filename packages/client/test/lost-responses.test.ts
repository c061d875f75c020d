import { HorizontalPodAutoscaler } from "@typekube/api/autoscaling/v2";
import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { isAlreadyExists, KubeError } from "@typekube/core";
import type { HttpSend } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";

/** Forwards requests and loses the first response to a create. */
function losing(send: HttpSend): HttpSend {
  let isLost = false;
  return async (request) => {
    const response = await send(request);
    if (request.method === "POST" && !isLost) {
      isLost = true;
      throw new KubeError("ConnectionReset", "lost");
    }
    return response;
  };
}

describe("GRP16: a create whose response was lost", () => {
  it("with a name, fails as AlreadyExists when repeated", async () => {
    await using api = await startApiServer();
    const transport = { send: losing(api.send), server: api.server };
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    const configMap = { metadata: { name: "a" }, data: { k: "1" } };
    expect((await failure(maps.create(configMap))).code).toBe("ConnectionReset");
    expect(isAlreadyExists(await failure(maps.create(configMap)))).toBe(true);
    expect((await maps.get("a")).data).toEqual({ k: "1" });
  });

  it("with a generated name, is sent once: a repetition would create a second object", async () => {
    await using api = await startApiServer();
    const transport = { send: losing(api.send), server: api.server };
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    const creating = maps.create({ metadata: { generateName: "a-" } });
    expect((await failure(creating)).code).toBe("ConnectionReset");
    expect((await maps.list()).items).toHaveLength(1);
  });
});

it("GRP11: a built-in kind that the server does not serve is NotFound, and other kinds work", async () => {
  await using api = await startApiServer({
    runtimeConfig: "autoscaling/v1=false,autoscaling/v2=false",
  });
  await using client = await api.client();
  const listing = client.resource(HorizontalPodAutoscaler, "default").list();
  expect((await failure(listing)).code).toBe("NotFound");
  expect((await client.resource(ConfigMap, "default").list()).items).toEqual([]);
});
