import { HorizontalPodAutoscaler } from "@typekube/api/autoscaling/v2";
import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { isAlreadyExists, KubeError } from "@typekube/core";
import type { HttpSend } from "@typekube/core/internal";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { failure } from "./helpers/failure.js";

/** Does what is asked, and loses the first answer to a create. */
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

describe("GRP16: a create whose answer was lost", () => {
  it("with a name is told by the next one, which finds it there", async () => {
    await using api = await startApiServer();
    const transport = { send: losing(api.send), server: api.server };
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    const configMap = { metadata: { name: "a" }, data: { k: "1" } };
    expect((await failure(maps.create(configMap))).code).toBe("ConnectionReset");
    expect(isAlreadyExists(await failure(maps.create(configMap)))).toBe(true);
    expect((await maps.get("a")).data).toEqual({ k: "1" });
  });

  it("with a generated name is sent once: a second one would be a second object", async () => {
    await using api = await startApiServer();
    const transport = { send: losing(api.send), server: api.server };
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    const creating = maps.create({ metadata: { generateName: "a-" } });
    expect((await failure(creating)).code).toBe("ConnectionReset");
    expect((await maps.list()).items).toHaveLength(1);
  });
});

it("GRP11: a built-in kind that a server does not serve is NotFound, and the others work", async () => {
  await using api = await startApiServer({
    runtimeConfig: "autoscaling/v1=false,autoscaling/v2=false",
  });
  await using client = await api.client();
  const listing = client.resource(HorizontalPodAutoscaler, "default").list();
  expect((await failure(listing)).code).toBe("NotFound");
  expect((await client.resource(ConfigMap, "default").list()).items).toEqual([]);
});
