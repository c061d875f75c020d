import { ConfigMap } from "@typekube/api/core/v1";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const success = { kind: "Status", apiVersion: "v1", status: "Success" };
const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true } as const;

describe("delete options", () => {
  it("DRY3: are all sent in the body, including dryRun", async () => {
    const server = new ScriptedServer({ body: success });
    await server
      .client({ defaults: { dryRun: "All" } })
      .resource(ConfigMap, "prod")
      .delete("a", {
        gracePeriodSeconds: 0,
        propagationPolicy: "Foreground",
        preconditions: { uid: "u", resourceVersion: "7" },
      });
    expect(server.last.query).toEqual({});
    expect(JSON.parse(server.last.text)).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      dryRun: ["All"],
      gracePeriodSeconds: 0,
      propagationPolicy: "Foreground",
      preconditions: { uid: "u", resourceVersion: "7" },
    });
  });

  it("DEL5: the unsafe option is sent under its full name, and alone", async () => {
    const server = new ScriptedServer({ body: success });
    const configMaps = server.client().resource(ConfigMap, "prod");
    await configMaps.delete("a", unsafe);
    expect(JSON.parse(server.last.text)).toEqual({
      apiVersion: "v1",
      kind: "DeleteOptions",
      ...unsafe,
    });
  });

  it("DEL10: rejects the unsafe option for a collection before sending", async () => {
    const server = new ScriptedServer({});
    const configMaps = server.client().resource(ConfigMap, "prod");
    const error = await failure(configMaps.deleteCollection(unsafe as never));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain("not allowed with DELETECOLLECTION");
    expect(server.sent).toEqual([]);
  });

  it("DEL7: rejects the unsafe option with any other, including a client's default dry run", async () => {
    const server = new ScriptedServer({ body: success });
    const client = server.client();
    for (const other of [
      { gracePeriodSeconds: 0 },
      { propagationPolicy: "Orphan" },
      { preconditions: {} },
      { dryRun: "All" },
    ]) {
      const deleting = client
        .resource(ConfigMap, "prod")
        .delete("a", { ...unsafe, ...other } as never);
      expect((await failure(deleting)).message).toContain(
        "[InvalidArgument] ignoreStoreReadErrorWithClusterBreakingPotential: cannot be set together with",
      );
    }
    const dry = client.with({ dryRun: "All" }).resource(ConfigMap, "prod");
    expect((await failure(dry.delete("a", unsafe))).code).toBe("InvalidArgument");
    expect(server.sent).toEqual([]);
  });
});

describe("DEL1: the state after a delete", () => {
  const at = "2026-01-01T00:00:00Z";
  it.each([
    ["a Status", success, "deleted"],
    [
      "the object without a deletionTimestamp",
      { kind: "Service", metadata: { name: "a" } },
      "deleted",
    ],
    [
      "a pod with a grace period of 0",
      { metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 0 } },
      "deleted",
    ],
    [
      "a pod with a grace period",
      { metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 30 } },
      "terminating",
    ],
    [
      "a deleted object with a finalizer",
      {
        metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 0, finalizers: ["x.io/a"] },
      },
      "terminating",
    ],
    [
      "an object with a finalizer, without a deletionTimestamp",
      { metadata: { finalizers: ["x.io/a"] } },
      "deleted",
    ],
    [
      "a namespace",
      {
        metadata: { deletionTimestamp: at, deletionGracePeriodSeconds: 0 },
        spec: { finalizers: ["kubernetes"] },
      },
      "terminating",
    ],
  ])("reads from the response whether the object still exists: %s", async (_, response, type) => {
    const server = new ScriptedServer({ body: response });
    const result = await server.client().resource(ConfigMap, "prod").delete("a");
    expect(result).toMatchObject(
      response === success
        ? { type, object: undefined, status: success }
        : { type, object: response },
    );
  });

  it("a Status that reports Failure is an error", async () => {
    const server = new ScriptedServer({ body: { ...success, status: "Failure", code: 409 } });
    const deleting = server.client().resource(ConfigMap, "prod").delete("a");
    expect((await failure(deleting)).code).toBe("Conflict");
  });
});
