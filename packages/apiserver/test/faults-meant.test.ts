import { describe, expect, test } from "vitest";
import { type FaultRule, startApiServer } from "../src/index.js";
import { call, configMaps, createConfigMaps } from "./harness.js";

const gone = { code: 410, reason: "Expired", message: "gone" };

describe("ES25: rejects a fault that could have no effect", () => {
  test.each<[string, FaultRule]>([
    ["a verb that there is not", { verb: "gte", status: 500 }],
    ["a verb in capitals", { verb: "GET", status: 500 }],
    ["nothing that goes wrong", { verb: "get" }],
    ["a message without a status", { verb: "get", message: "boom", retryAfterSeconds: 1 }],
    ["a status of success", { status: 200 }],
    ["a status that is none", { status: Number.NaN }],
    ["time that goes back", { delayMs: -1 }],
    ["drops of nothing", { drip: { bytes: 0, everyMs: 1 } }],
    ["less than no times", { status: 500, times: -1 }],
    ["one time and a half", { status: 500, times: 1.5 }],
    ["half a request that is let through", { status: 500, skip: 0.5 }],
    ["a status between two", { status: 429.5 }],
    ["half a write ago", { verb: "list", staleBy: 0.5 }],
    ["a write that reads what is old", { verb: "create", staleBy: 1 }],
    ["a list that ends with an event", { verb: "list", eventError: gone }],
    ["an answer besides an event", { event: "drop", status: 500 }],
    ["a type of events where no event is struck", { status: 500, eventType: "ADDED" }],
    ["a kind in the place of a resource", { resource: "Pod", status: 500 }],
    ["a subresource in the resource", { resource: "pods/status", status: 500 }],
    ["a group in the resource", { resource: "deployments.apps", status: 500 }],
    ["what is switched off", { hang: false, garbage: false } as object],
    ["a reset at no time", { reset: "midway" } as object],
    ["an event that comes to no harm", { event: "bogus" } as object],
    ["a type of events that there is not", { event: "drop", eventType: "added" } as object],
    ["a status as text", { status: "500" } as object],
    ["a condition that cannot be asked", { status: 500, when: "always" } as object],
  ])("%s", async (_, rule) => {
    await using api = await startApiServer();
    expect(() => api.fault(rule)).toThrow("a fault that cannot be meant");
    expect((await call(api, "GET", configMaps)).status).toBe(200);
  });

  test("a fault with times: 0 never strikes", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ status: 500, times: 0 });
    expect([(await call(api, "GET", configMaps)).status, fault.count]).toEqual([200, 0]);
  });

  test("of several matching faults, the first strikes until it is used up", async () => {
    await using api = await startApiServer();
    api.fault({ verb: "list", status: 500 });
    api.fault({ verb: "list", status: 503, times: 2 });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) {
      statuses.push((await call(api, "GET", configMaps)).status);
    }
    expect(statuses).toEqual([500, 503, 503, 200]);
  });

  test("rejects a misspelled option, which would match every request", async () => {
    await using api = await startApiServer();
    const rule = { resouce: "pods", status: 500 };
    expect(() => api.fault(rule)).toThrow('a fault has no option "resouce"');
    expect((await call(api, "GET", configMaps)).status).toBe(200);
  });
});

describe("ES25: a fault strikes only requests that it can affect", () => {
  test("a stale read does not affect a write, but the next read", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ staleBy: 1 });
    await createConfigMaps(api, "a");
    expect((await call(api, "GET", "/version")).status).toBe(200);
    expect(fault.count).toBe(0);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(200);
    expect(fault.count).toBe(1);
  });

  test("a list does not use up an event error, a watch does", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ resource: "configmaps", eventError: gone });
    expect((await call(api, "GET", configMaps)).status).toBe(200);
    expect(fault.count).toBe(0);
    const { text } = await call(api, "GET", `${configMaps}?watch=true&resourceVersion=1`);
    expect([text.includes('"message":"gone"'), fault.count]).toEqual([true, 1]);
  });
});
