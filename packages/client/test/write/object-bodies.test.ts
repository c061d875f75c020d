import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { codecs } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

interface LooseClient {
  create(object: unknown): Promise<unknown>;
  update(object: unknown): Promise<unknown>;
  apply(object: unknown): Promise<unknown>;
}

const loose = (server: ScriptedServer) =>
  server.client().resource(ConfigMap, "prod") as unknown as LooseClient;

describe("bodies of writes", () => {
  it("does not modify the caller's object, and sends its contents unchanged", async () => {
    const server = new ScriptedServer({});
    const pods = server.client().resource(Pod, "prod");
    const object = Object.freeze({
      metadata: Object.freeze({
        name: "a",
        labels: Object.freeze(JSON.parse('{"__proto__":"x"}') as Record<string, string>),
      }),
      spec: { containers: [], futureField: { deep: 9007199254740993n } },
    });
    const before = structuredClone(object);
    await pods.create(object);
    expect(server.last.text).toBe(
      '{"metadata":{"name":"a","labels":{"__proto__":"x"}},"spec":{"containers":[],"futureField":{"deep":9007199254740993}},"apiVersion":"v1","kind":"Pod"}',
    );
    await pods.update(object);
    await pods.apply(object);
    expect(object).toEqual(before);
    expect(Object.keys(object)).toEqual(["metadata", "spec"]);
  });

  it("SSA1: applies an object with a key that is too long for JSON inside YAML as YAML", async () => {
    const { json, yaml } = codecs;
    for (const [key, codec] of [
      ["k".repeat(990), json],
      ["k".repeat(1100), yaml],
      ["\u0085".repeat(200), yaml],
    ] as const) {
      const server = new ScriptedServer({});
      await loose(server).apply({ metadata: { name: "a" }, data: { [key]: "v", big: 2n ** 60n } });
      expect(server.last.headers["content-type"]).toBe("application/apply-patch+yaml");
      expect(server.last.text.startsWith("{")).toBe(codec === json);
      expect(await codec.decode(Buffer.from(server.last.text))).toMatchObject({
        kind: "ConfigMap",
        data: { [key]: "v", big: 2n ** 60n },
      });
    }
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "rejects %d in every encoding instead of writing null",
    async (minReadySeconds) => {
      for (const encoding of ["auto", "json", "yaml", "cbor", "protobuf"] as const) {
        const server = new ScriptedServer({});
        const deployments = server.client().with({ encoding }).resource(Deployment, "prod");
        const object = { metadata: { name: "a" }, spec: { minReadySeconds } } as Deployment;
        for (const call of [
          () => deployments.create(object),
          () => deployments.update(object),
          () => deployments.apply(object),
          () => deployments.patch("a", mergePatch({ spec: { minReadySeconds } })),
        ]) {
          const error = await failure(call());
          expect([error.code, server.sent.length], `${encoding} ${error}`).toEqual([
            "InvalidArgument",
            0,
          ]);
        }
        expect(
          (await failure(deployments.patch("a", mergePatch({ spec: { minReadySeconds } }))))
            .message,
        ).toContain("spec.minReadySeconds");
      }
    },
  );

  it.each([
    ["another kind", { kind: "Secret", apiVersion: "v1" }, 'kind is "Secret"'],
    ["another apiVersion", { kind: "ConfigMap", apiVersion: "v2" }, 'apiVersion is "v2"'],
    ["a list of the kind", { kind: "ConfigMapList", apiVersion: "v1", items: [] }, "got a list"],
    ["a list without a kind", { items: [{}] }, "got a list"],
    ["an array", [{ metadata: { name: "a" } }], "got a list"],
    ["null", null, "must be an object"],
    ["text", "kind: ConfigMap", "must be an object"],
    ["nothing", undefined, "must be an object"],
    ["another namespace", { metadata: { name: "a", namespace: "dev" } }, 'namespace is "dev"'],
  ])("GRP8: rejects %s before sending", async (_, part, reason) => {
    const server = new ScriptedServer({});
    const isObject = typeof part === "object" && part !== null && !Array.isArray(part);
    const object = isObject ? { metadata: { name: "a" }, ...part } : part;
    for (const write of ["create", "update", "apply"] as const) {
      const error = await failure(loose(server)[write](object));
      expect(error.code).toBe("InvalidArgument");
      expect(error.message).toContain(reason);
    }
    expect(server.sent).toEqual([]);
  });

  it.each([{}, { metadata: {} }, { metadata: { name: "" } }])(
    "rejects %o, which has no name",
    async (object) => {
      const server = new ScriptedServer({});
      for (const write of ["create", "update", "apply"] as const) {
        expect((await failure(loose(server)[write](object))).message).toContain(
          "has no metadata.name",
        );
      }
      expect(server.sent).toEqual([]);
      await loose(server).create({ metadata: { generateName: "a-" } });
      expect(server.log).toEqual(["POST /api/v1/namespaces/prod/configmaps"]);
    },
  );

  it("treats an empty namespace, as written by charts, as absent", async () => {
    const server = new ScriptedServer({});
    const metadata = { name: "a", namespace: "" };
    for (const write of ["create", "update", "apply"] as const) {
      await loose(server)[write]({ metadata });
    }
    expect(server.sent.map(({ url }) => url)).toEqual([
      "/api/v1/namespaces/prod/configmaps",
      "/api/v1/namespaces/prod/configmaps/a",
      "/api/v1/namespaces/prod/configmaps/a",
    ]);
  });

  it.each([{ name: 5 }, { name: false }, { name: "a", namespace: 7 }])(
    "rejects %o, because YAML reads an unquoted number or word as another type",
    async (metadata) => {
      const server = new ScriptedServer({});
      for (const write of ["create", "update", "apply"] as const) {
        const error = await failure(loose(server)[write]({ metadata }));
        expect(error.code).toBe("InvalidArgument");
        expect(error.message).toContain("must be a string");
        expect(error.hint).toContain("quoted");
      }
      expect(server.sent).toEqual([]);
    },
  );

  it("only create generates names, and the errors of update and apply say so", async () => {
    const server = new ScriptedServer({});
    for (const write of ["update", "apply"] as const) {
      const error = await failure(loose(server)[write]({ metadata: { generateName: "a-" } }));
      expect(error.hint).toContain("create");
    }
    expect(server.sent).toEqual([]);
  });

  it("rejects an apply of managedFields", async () => {
    const server = new ScriptedServer({});
    const metadata = { name: "a", managedFields: [] };
    const error = await failure(loose(server).apply({ metadata }));
    expect(error.code).toBe("InvalidArgument");
    expect(error.message).toContain("managedFields");
    const status = server.client().resource(Pod, "prod").status;
    expect((await failure(status.apply("a", { metadata }))).message).toContain("managedFields");
    expect(server.sent).toEqual([]);
    await loose(server).update({ metadata });
    expect(server.sent).toHaveLength(1);
  });
});
