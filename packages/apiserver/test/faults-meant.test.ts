import { describe, expect, test } from "vitest";
import { type FaultRule, startApiServer } from "../src/index.js";
import { call, configMaps, createConfigMaps } from "./harness.js";

const gone = { code: 410, reason: "Expired", message: "gone" };

describe("ES25: a fault that would let nothing go wrong is refused where it is set", () => {
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
  ])("%s", async (_, rule) => {
    await using api = await startApiServer();
    expect(() => api.fault(rule)).toThrow("a fault that cannot be meant");
    expect((await call(api, "GET", configMaps)).status).toBe(200);
  });

  test("one that strikes no times strikes nobody", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ status: 500, times: 0 });
    expect([(await call(api, "GET", configMaps)).status, fault.count]).toEqual([200, 0]);
  });

  test("of several that match, the first that was set strikes until it is used up", async () => {
    await using api = await startApiServer();
    api.fault({ verb: "list", status: 500 });
    api.fault({ verb: "list", status: 503, times: 2 });
    const statuses: number[] = [];
    for (let at = 0; at < 4; at++) {
      statuses.push((await call(api, "GET", configMaps)).status);
    }
    expect(statuses).toEqual([500, 503, 503, 200]);
  });
});

describe("ES25: a fault strikes only what it can do something to", () => {
  test("a write is stored though reads are old, and the next read is", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ staleBy: 1 });
    await createConfigMaps(api, "a");
    expect((await call(api, "GET", "/version")).status).toBe(200);
    expect(fault.count).toBe(0);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(404);
    expect((await call(api, "GET", `${configMaps}/a`)).status).toBe(200);
    expect(fault.count).toBe(1);
  });

  test("a list uses up no error of a watch", async () => {
    await using api = await startApiServer();
    const fault = api.fault({ resource: "configmaps", eventError: gone });
    expect((await call(api, "GET", configMaps)).status).toBe(200);
    expect(fault.count).toBe(0);
    const { text } = await call(api, "GET", `${configMaps}?watch=true&resourceVersion=1`);
    expect([text.includes('"message":"gone"'), fault.count]).toEqual([true, 1]);
  });
});
