import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { type FaultRule, startApiServer } from "../src/index.js";

const gone = { code: 410, reason: "Expired", message: "gone" };

describe("ES25: rejects a fault that could have no effect", () => {
  test.each<[string, FaultRule]>([
    ["an unknown verb", { verb: "gte", status: 500 }],
    ["an uppercase verb", { verb: "GET", status: 500 }],
    ["a rule without an effect", { verb: "get" }],
    ["a message without a status", { verb: "get", message: "boom", retryAfterSeconds: 1 }],
    ["a success status", { status: 200 }],
    ["a status that is not a number", { status: Number.NaN }],
    ["a negative delay", { delayMs: -1 }],
    ["a drip of 0 bytes", { drip: { bytes: 0, everyMs: 1 } }],
    ["a negative times", { status: 500, times: -1 }],
    ["a fractional times", { status: 500, times: 1.5 }],
    ["a fractional skip", { status: 500, skip: 0.5 }],
    ["a fractional status", { status: 429.5 }],
    ["a fractional staleBy", { verb: "list", staleBy: 0.5 }],
    ["a staleBy for a write", { verb: "create", staleBy: 1 }],
    ["an eventError for a list", { verb: "list", eventError: gone }],
    ["a status together with an event effect", { event: "drop", status: 500 }],
    ["an eventType without an event effect", { status: 500, eventType: "ADDED" }],
    ["a kind instead of a resource", { resource: "Pod", status: 500 }],
    ["a subresource in the resource", { resource: "pods/status", status: 500 }],
    ["a group in the resource", { resource: "deployments.apps", status: 500 }],
    ["effects that are set to false only", { hang: false, garbage: false } as object],
    ["an unknown reset phase", { reset: "midway" } as object],
    ["an unknown event effect", { event: "bogus" } as object],
    ["an unknown eventType", { event: "drop", eventType: "added" } as object],
    ["a status as a string", { status: "500" } as object],
    ["a when that is not a function", { status: 500, when: "always" } as object],
  ])("rejects a fault with %s, and the server keeps working", async (_, rule) => {
    await using api = await startApiServer();
    expect(() => api.fault(rule)).toThrow("invalid fault");
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
