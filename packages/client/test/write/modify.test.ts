import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import type { Clock } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import {
  type Script,
  ScriptedServer,
  type Sent,
  statusResponse,
} from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

/** Returns a clock on which every wait ends at once and is recorded. */
function hastyClock(): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    now: () => 0,
    schedule(delayMs, callback) {
      waits.push(delayMs);
      queueMicrotask(callback);
      return () => {};
    },
  };
}

const configMap = (resourceVersion: string, data: Record<string, string> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "prod", resourceVersion, uid: "u" },
  data,
});
const echo: Script = ({ text }: Sent) => ({ body: JSON.parse(text) as object });
const conflict = statusResponse(409, "Conflict", { message: "the object has been modified" });

function client(...script: Script[]) {
  const server = new ScriptedServer(...script);
  const clock = hastyClock();
  const resource = server.client({ clock }).resource(ConfigMap, "prod");
  return { server, clock, configMaps: resource };
}
const bodies = (server: ScriptedServer) =>
  server.sent
    .filter(({ method }) => method === "PUT")
    .map(({ text }) => JSON.parse(text) as unknown);

describe("modify", () => {
  it("UPD1: writes the resourceVersion that was read, whatever the change did to it", async () => {
    for (const change of [
      (object: ConfigMap) => {
        object.data = { k: "2" };
      },
      () => ({ metadata: { name: "a" }, data: { k: "2" } }),
      () => ({ metadata: { resourceVersion: "9999" }, data: { k: "2" } }),
    ]) {
      const { server, configMaps } = client({ body: configMap("7", { k: "1" }) }, echo);
      await configMaps.modify("a", change);
      expect(server.log).toEqual([
        "GET /api/v1/namespaces/prod/configmaps/a",
        "PUT /api/v1/namespaces/prod/configmaps/a",
      ]);
      expect(bodies(server)).toMatchObject([
        { metadata: { name: "a", resourceVersion: "7" }, data: { k: "2" } },
      ]);
    }
  });

  it("UPD3: reads and changes again after a Conflict, 10 to 11 ms apart, 5 attempts in total", async () => {
    const { server, clock, configMaps } = client(
      ...Array.from({ length: 4 }, (_, at) => [{ body: configMap(String(at)) }, conflict]).flat(),
      { body: configMap("4") },
      echo,
    );
    let runs = 0;
    const modified = await configMaps.modify("a", (object) => {
      runs += 1;
      object.data = { k: object.metadata.resourceVersion };
    });
    expect(modified.data).toEqual({ k: "4" });
    expect(runs).toBe(5);
    expect(server.sent).toHaveLength(10);
    expect(clock.waits).toHaveLength(4);
    for (const wait of clock.waits) {
      expect(wait).toBeGreaterThanOrEqual(10);
      expect(wait).toBeLessThan(11);
    }
  });

  it("fails with the last Conflict when every attempt met another writer", async () => {
    const script = [{ body: configMap("1") }, conflict, { body: configMap("1") }, conflict];
    const { server, configMaps } = client(...script);
    const change = (object: ConfigMap) => {
      object.data = { k: "v" };
    };
    const error = await failure(configMaps.modify("a", change, { maxTries: 2 }));
    expect(error).toMatchObject({ code: "Conflict", httpStatus: 409 });
    expect(error.message).toContain("tried 2 times");
    expect(server.sent).toHaveLength(4);
    const none = await failure(configMaps.modify("a", change, { maxTries: 0 }));
    expect(none.code).toBe("InvalidArgument");
  });

  it.each<[string, (object: ConfigMap) => ConfigMap | undefined]>([
    ["returns nothing", () => undefined],
    ["returns its argument", (object) => object],
    ["sets the existing value", (object) => ({ ...object, data: { k: "1" } })],
    ["sets a field to undefined", (object) => ({ ...object, binaryData: undefined })],
  ])("writes nothing when the change %s", async (_, change) => {
    const { server, configMaps } = client({ body: configMap("7", { k: "1" }) });
    expect(await configMaps.modify("a", change)).toEqual(configMap("7", { k: "1" }));
    expect(server.sent).toHaveLength(1);
  });

  it("does not retry other errors, including those of the change", async () => {
    const invalid = client({ body: configMap("7") }, statusResponse(422, "Invalid"));
    const change = () => ({ data: { k: "v" } });
    expect((await failure(invalid.configMaps.modify("a", change))).code).toBe("Invalid");
    expect(invalid.server.sent).toHaveLength(2);
    const { configMaps, server } = client({ body: configMap("7") });
    await expect(
      configMaps.modify("a", () => {
        throw new RangeError("mine");
      }),
    ).rejects.toThrow(RangeError);
    await expect(configMaps.modify("a", () => 5 as never)).rejects.toThrow("InvalidArgument");
    expect(server.log.filter((line) => line.startsWith("PUT"))).toEqual([]);
  });

  it("rejects a change of name or namespace", async () => {
    for (const metadata of [{ name: "b" }, { name: "a", namespace: "other" }]) {
      const { server, configMaps } = client({ body: configMap("7") });
      const error = await failure(configMaps.modify("a", () => ({ metadata })));
      expect(error.code).toBe("InvalidArgument");
      expect(server.sent).toHaveLength(1);
    }
  });

  it("passes the options to each call, and the signal ends the wait", async () => {
    const controller = new AbortController();
    const clock: Clock = {
      now: () => 0,
      schedule: () => {
        queueMicrotask(() => controller.abort(new Error("enough")));
        return () => {};
      },
    };
    const server = new ScriptedServer({ body: configMap("1") }, conflict);
    const configMaps = server.client({ clock }).resource(ConfigMap, "prod");
    const options = { fieldManager: "me", dryRun: "All", signal: controller.signal } as const;
    await expect(configMaps.modify("a", () => ({ data: { k: "v" } }), options)).rejects.toThrow(
      "enough",
    );
    expect(server.last.query).toEqual({ fieldManager: "me", dryRun: "All" });
  });

  it("createIfMissing: creates a missing object, and reads again when others create or delete it first", async () => {
    const missing = statusResponse(404, "NotFound", { details: { name: "a", kind: "configmaps" } });
    const { server, configMaps } = client(
      missing,
      statusResponse(409, "AlreadyExists"),
      { body: configMap("1") },
      missing,
      missing,
      echo,
    );
    await configMaps.modify(
      "a",
      (object) => {
        object.data = { k: "v" };
      },
      { createIfMissing: { metadata: { labels: { l: "x" } } } },
    );
    expect(server.sent.map(({ method }) => method)).toEqual([
      "GET",
      "POST",
      "GET",
      "PUT",
      "GET",
      "POST",
    ]);
    expect(JSON.parse(server.last.text)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", labels: { l: "x" } },
      data: { k: "v" },
    });
  });

  it("createIfMissing: fails with Conflict when others created or deleted the object in every attempt", async () => {
    const missing = statusResponse(404, "NotFound", { details: { name: "a", kind: "configmaps" } });
    const created = [missing, statusResponse(409, "AlreadyExists")];
    const deleted = [{ body: configMap("1") }, missing];
    for (const [script, code] of [
      [[...deleted, ...created], "AlreadyExists"],
      [[...created, ...deleted], "NotFound"],
    ] as const) {
      const { server, configMaps } = client(...script);
      const change = () => ({ data: { k: "v" } });
      const options = { createIfMissing: {}, maxTries: 2 };
      const error = await failure(configMaps.modify("a", change, options));
      expect(error).toMatchObject({ code: "Conflict", cause: { code } });
      expect(error.message).toContain("tried 2 times");
      expect(server.sent).toHaveLength(4);
    }
  });

  it("createIfMissing: creates the returned object under the requested name", async () => {
    const missing = statusResponse(404, "NotFound", { details: { name: "a", kind: "configmaps" } });
    const { server, configMaps } = client(missing, echo);
    await configMaps.modify("a", () => ({ data: { k: "v" } }), { createIfMissing: {} });
    expect(server.last.method).toBe("POST");
    expect(JSON.parse(server.last.text)).toMatchObject({ metadata: { name: "a" } });
    for (const metadata of [{ name: "b" }, { name: "a", namespace: "other" }]) {
      const { server, configMaps } = client(missing);
      const change = () => ({ metadata });
      const error = await failure(configMaps.modify("a", change, { createIfMissing: {} }));
      expect(error.code).toBe("InvalidArgument");
      expect(server.sent).toHaveLength(1);
    }
  });

  it("without createIfMissing a missing object is NotFound, before and after the read", async () => {
    const missing = statusResponse(404, "NotFound", { details: { name: "a", kind: "configmaps" } });
    const change = () => ({ data: { k: "v" } });
    expect((await failure(client(missing).configMaps.modify("a", change))).code).toBe("NotFound");
    const between = client({ body: configMap("1") }, missing);
    expect((await failure(between.configMaps.modify("a", change))).code).toBe("NotFound");
    expect(between.server.sent).toHaveLength(2);
  });

  it("modifies a subresource through its own path", async () => {
    const scale = {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "a", resourceVersion: "3" },
      spec: { replicas: 1 },
    };
    const server = new ScriptedServer({ body: scale }, conflict, { body: scale }, echo);
    const deployments = server.client({ clock: hastyClock() }).resource(Deployment, "prod");
    const scaled = await deployments.scale.modify("a", (object) => {
      object.spec = { replicas: 4 };
    });
    expect(scaled.spec).toEqual({ replicas: 4 });
    expect(server.log).toEqual([
      "GET /apis/apps/v1/namespaces/prod/deployments/a/scale",
      "PUT /apis/apps/v1/namespaces/prod/deployments/a/scale",
      "GET /apis/apps/v1/namespaces/prod/deployments/a/scale",
      "PUT /apis/apps/v1/namespaces/prod/deployments/a/scale",
    ]);
  });
});

describe("create with generateName", () => {
  const taken = statusResponse(409, "AlreadyExists", {
    details: { retryAfterSeconds: 1 } as never,
  });
  const made = { body: configMap("1"), status: 201 };

  it("is repeated when the generated name was taken, after the delay that the server advises", async () => {
    const { server, clock, configMaps } = client(taken, statusResponse(409, "AlreadyExists"), made);
    await configMaps.create({ metadata: { generateName: "a-" } });
    expect(server.sent.map(({ method, text }) => [method, text])).toEqual(
      Array.from({ length: 3 }, () => [
        "POST",
        '{"metadata":{"generateName":"a-"},"apiVersion":"v1","kind":"ConfigMap"}',
      ]),
    );
    expect(clock.waits).toEqual([1000, 0]);
  });

  it("makes 8 attempts in total, or as many as maxNameTries allows", async () => {
    const { server, configMaps } = client(taken);
    const object = { metadata: { generateName: "a-" } };
    expect((await failure(configMaps.create(object))).code).toBe("AlreadyExists");
    expect(server.sent).toHaveLength(8);
    expect((await failure(configMaps.create(object, { maxNameTries: 1 }))).code).toBe(
      "AlreadyExists",
    );
    expect(server.sent).toHaveLength(9);
    expect((await failure(configMaps.create(object, { maxNameTries: 0 }))).code).toBe(
      "InvalidArgument",
    );
  });

  it("is not repeated for a name given by the caller, nor after another error", async () => {
    const given = client(taken);
    const both = { metadata: { name: "a", generateName: "a-" } };
    expect((await failure(given.configMaps.create(both))).code).toBe("AlreadyExists");
    expect(given.server.sent).toHaveLength(1);
    const forbidden = client(statusResponse(403, "Forbidden"));
    const object = { metadata: { generateName: "a-" } };
    expect((await failure(forbidden.configMaps.create(object))).code).toBe("Forbidden");
    expect(forbidden.server.sent).toHaveLength(1);
  });
});
