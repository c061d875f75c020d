import { call, exchange } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const old = "/api/v1/namespaces/default/events";
const now = "/apis/events.k8s.io/v1/namespaces/default/events";
const subject = { kind: "Pod", name: "p", namespace: "default" };
const common = {
  metadata: { name: "a" },
  eventTime: "2026-01-01T00:00:00.000000Z",
  action: "A",
  reason: "R",
  type: "Normal",
  reportingInstance: "i",
};

describe("an Event in two groups", () => {
  test.each([
    [
      "the core group",
      old,
      { involvedObject: subject, message: "m", reportingComponent: "x.io/c", count: 2 },
    ],
    ["events.k8s.io", now, { regarding: subject, note: "m", reportingController: "x.io/c" }],
  ])(
    "created in %s, it is readable in both, as object, list and watch",
    async (_name, path, more) => {
      await using api = await startApiServer();
      expect((await call(api, "POST", path, { ...common, ...more })).status).toBe(201);
      for (const [read, apiVersion, words] of [
        [old, "v1", { involvedObject: subject, message: "m", reportingComponent: "x.io/c" }],
        [now, "events.k8s.io/v1", { regarding: subject, note: "m", reportingController: "x.io/c" }],
      ] as const) {
        for (const accept of ["application/json", "application/vnd.kubernetes.protobuf"]) {
          const one = await exchange(api, "GET", `${read}/a`, { accept });
          const list = await exchange(api, "GET", read, { accept });
          const watch = `${read}?watch=1&resourceVersion=0`;
          const [event] = (await exchange(api, "GET", watch, { accept, events: 1 })).value;
          expect(one.value).toMatchObject({ apiVersion, kind: "Event", ...words });
          expect(list.value.items[0]).toMatchObject(words);
          expect(event.object).toMatchObject({ apiVersion, kind: "Event", ...words });
        }
      }
    },
  );

  test("deleted through the other group, it keeps its form while a finalizer holds it", async () => {
    await using api = await startApiServer();
    const held = {
      ...common,
      metadata: { name: "a", finalizers: ["x.io/held"] },
      regarding: subject,
      note: "m",
      reportingController: "x.io/c",
    };
    await call(api, "POST", now, held);
    await call(api, "DELETE", `${now}/a`);
    const { body } = await call(api, "GET", `${old}/a`);
    expect(body).toMatchObject({ apiVersion: "v1", involvedObject: subject, message: "m" });
    expect(body.metadata.deletionTimestamp).toBeDefined();
  });
});
