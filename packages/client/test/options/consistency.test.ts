import { Pod } from "@typekube/api/core/v1";
import type { Consistency, GetOptions, ListOptions } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";
import { all } from "../helpers/all.js";

const json = { encoding: "json" } as const;

describe("consistency", () => {
  const cases: readonly (readonly [Consistency, object])[] = [
    ["latest", {}],
    ["any", { resourceVersion: "0" }],
    [{ notOlderThan: "7" }, { resourceVersion: "7", resourceVersionMatch: "NotOlderThan" }],
    [{ exact: "7" }, { resourceVersion: "7", resourceVersionMatch: "Exact" }],
  ];

  it.each(cases)("RV9 to RV17: %j of a collection is sent as %j", async (consistency, expected) => {
    const server = new ScriptedServer(podPage(["a"], { resourceVersion: "7" }));
    const pods = server.client().resource(Pod, "prod");
    await pods.list({ ...json, consistency });
    expect(server.last.query).toEqual(expected);
    await pods.table({ consistency });
    expect(server.last.query).toEqual(expected);
    await all(pods.items({ ...json, consistency, pageSize: 2 }));
    expect(server.last.query).toEqual({ ...expected, limit: "2" });
    await pods.list({ ...json, consistency, limit: 2, continue: "t" });
    expect(server.last.query).toEqual({ limit: "2", continue: "t" });
  });

  it("RV9, RV10: a get takes latest, any or notOlderThan, but not exact, and sends no match", async () => {
    const server = new ScriptedServer({ body: { kind: "Pod", apiVersion: "v1", metadata: {} } });
    const pods = server.client().resource(Pod, "prod");
    await pods.get("a", { consistency: "latest" });
    expect(server.last.query).toEqual({});
    await pods.get("a", { consistency: "any" });
    expect(server.last.query).toEqual({ resourceVersion: "0" });
    await pods.status.get("a", { consistency: { notOlderThan: "7" } });
    expect(server.last.query).toEqual({ resourceVersion: "7" });
    const exact = pods.get("a", { consistency: { exact: "7" } } as unknown as GetOptions);
    expect((await failure(exact)).message).toMatch(
      /\[InvalidArgument\] consistency: .* older resourceVersion/,
    );
    expect(server.sent).toHaveLength(3);
  });

  it.each([
    { consistency: "latest", resourceVersion: "7" },
    { consistency: "any", resourceVersion: "0", resourceVersionMatch: "NotOlderThan" },
    { consistency: "newest" },
    { consistency: {} },
    { consistency: null },
    { consistency: { exact: "0" } },
    { consistency: { notOlderThan: "" } },
    { consistency: { notOlderThan: 7 } },
    { consistency: { exact: "7", notOlderThan: "7" } },
  ])("RV14 to RV18: rejects %j before anything is sent", async (options) => {
    const server = new ScriptedServer(podPage([]));
    const pods = server.client().resource(Pod, "prod");
    const refused = options as unknown as ListOptions;
    expect((await failure(pods.list(refused))).code).toBe("InvalidArgument");
    expect((await failure(all(pods.items(refused)))).message).toContain("consistency: ");
    expect(server.sent).toHaveLength(0);
  });
});

describe("the state that a list returns", () => {
  it("RV28: requests an exact list again in pages when the response shows another state", async () => {
    const server = new ScriptedServer(
      podPage(["new"], { resourceVersion: "9" }),
      podPage(["a"], { resourceVersion: "7", continue: "t" }),
      podPage(["b"], { resourceVersion: "7" }),
    );
    const pods = server.client().resource(Pod, "prod");
    const list = await pods.list({ ...json, consistency: { exact: "7" }, labelSelector: "x" });
    expect(list.items.map(({ metadata }) => metadata.name)).toEqual(["a", "b"]);
    expect(list.metadata.resourceVersion).toBe("7");
    expect(server.sent[1]?.query).toEqual({
      labelSelector: "x",
      limit: "500",
      resourceVersion: "7",
      resourceVersionMatch: "Exact",
    });
  });

  it("RV19, OLD13: detects a server that does not support exact lists", async () => {
    for (const limit of [undefined, 5]) {
      const server = new ScriptedServer(podPage(["new"], { resourceVersion: "9" }));
      const pods = server.client().resource(Pod, "prod");
      const error = await failure(pods.list({ ...json, limit, consistency: { exact: "7" } }));
      expect(error.code).toBe("Expired");
      expect(error.message).toContain("did not return the state at resourceVersion 7");
      expect(server.sent).toHaveLength(limit === undefined ? 2 : 1);
    }
  });

  it("RV19: a walk detects such a server before it yields an item", async () => {
    for (const pageSize of [0, 500]) {
      const server = new ScriptedServer(podPage(["new"], { resourceVersion: "9" }));
      const walk = server
        .client()
        .resource(Pod, "prod")
        .items({ ...json, pageSize, consistency: { exact: "7" } });
      const seen: unknown[] = [];
      const reading = (async () => {
        for await (const pod of walk) {
          seen.push(pod);
        }
      })();
      expect(await failure(reading)).toMatchObject({
        code: "Expired",
        message: expect.stringContaining("did not return the state at resourceVersion 7"),
      });
      // A whole list may show another state (RV28): pages are requested before the walk fails.
      expect([seen, server.sent.length]).toEqual([[], pageSize === 0 ? 2 : 1]);
    }
  });

  it("RV28: a walk in one request continues in pages when the response shows another state", async () => {
    const server = new ScriptedServer((request) =>
      request.path.includes("limit=500")
        ? podPage(["old"], { resourceVersion: "7" })
        : podPage(["new"], { resourceVersion: "9" }),
    );
    const pods = server.client().resource(Pod, "prod");
    const names: string[] = [];
    for await (const { metadata } of pods.items({
      ...json,
      pageSize: 0,
      consistency: { exact: "7" },
    })) {
      names.push(metadata.name);
    }
    expect([names, server.sent.length]).toEqual([["old"], 2]);
  });

  it("RV23: warns of a response older than allowed and requests the newest state", async () => {
    const received: string[] = [];
    const server = new ScriptedServer(
      podPage(["old"], { resourceVersion: "99" }),
      podPage(["new"], { resourceVersion: "100" }),
    );
    const list = await server
      .client()
      .resource(Pod, "prod")
      .list({
        ...json,
        consistency: { notOlderThan: "100" },
        onWarning: (text) => void received.push(text),
      });
    expect(list.metadata.resourceVersion).toBe("100");
    expect(server.sent[1]?.query).toEqual({});
    expect(received).toEqual([
      "the server returned a state older than resourceVersion 100; the client requested the newest state instead",
    ]);
  });

  it("RV5, RV6: accepts resourceVersions that cannot be compared", async () => {
    const server = new ScriptedServer(podPage(["a"], { resourceVersion: "a1b2" }));
    const pods = server.client().resource(Pod, "prod");
    await pods.list({ ...json, consistency: { notOlderThan: "zz" } });
    await pods.list({ ...json, resourceVersion: "0" });
    expect(server.sent).toHaveLength(2);
  });
});
