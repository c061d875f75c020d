import { ConfigMap, Endpoints, Pod } from "@typekube/api/core/v1";
import { lifecycleOf } from "@typekube/api/lifecycle";
import { podPage, ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

/** Creates a server that ignores all options and returns everything in one page. */
function ignoring(): ScriptedServer {
  return new ScriptedServer(podPage(["a", "b"], { resourceVersion: "10" }));
}

describe("OLD2: a server that ignores options", () => {
  it("limit: everything arrives in one response, and there is no second request", async () => {
    const server = ignoring();
    const progress: unknown[] = [];
    const pods = server.client().resource(Pod, "prod");
    const names: string[] = [];
    const onProgress = (seen: unknown) => void progress.push(seen);
    for await (const pod of pods.items({ pageSize: 1, onProgress })) {
      names.push(pod.metadata.name);
    }
    expect(names).toEqual(["a", "b"]);
    expect(server.sent.length).toBe(1);
    expect(progress).toEqual([{ items: 2, remaining: 0 }]);
  });

  it("remaining items: the walk continues without an estimate", async () => {
    const server = new ScriptedServer(podPage(["a"], { continue: "t" }), podPage(["b"]));
    const progress: unknown[] = [];
    const onProgress = (seen: unknown) => void progress.push(seen);
    for await (const _ of server
      .client()
      .resource(Pod, "prod")
      .items({ pageSize: 1, onProgress })) {
      // Only the progress is checked.
    }
    expect(progress).toEqual([
      { items: 1, remaining: undefined },
      { items: 2, remaining: 0 },
    ]);
  });

  it("NotOlderThan: an older state makes the client request the newest one", async () => {
    const server = new ScriptedServer(
      podPage(["a"], { resourceVersion: "5" }),
      podPage(["a"], { resourceVersion: "12" }),
    );
    const list = await server
      .client()
      .resource(Pod, "prod")
      .list({ consistency: { notOlderThan: "10" } });
    expect(list.metadata.resourceVersion).toBe("12");
    expect(server.sent.map(({ query }) => query["resourceVersion"])).toEqual(["10", undefined]);
  });

  it("bookmarks: a watch works without any", async () => {
    const event = { type: "ADDED", object: { kind: "Pod", metadata: { name: "a" } } };
    const server = new ScriptedServer({ body: `${JSON.stringify(event)}\n` });
    const seen: string[] = [];
    for await (const { type } of server.client().resource(Pod, "prod").watch()) {
      seen.push(type);
    }
    expect(server.last.query["allowWatchBookmarks"]).toBe("true");
    expect(seen).toEqual(["ADDED"]);
  });

  it("field manager and field validation: returns the object in the response", async () => {
    const body = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" } };
    const server = new ScriptedServer({ body });
    const maps = server.client().resource(ConfigMap, "prod");
    const options = { fieldManager: "me", fieldValidation: "Strict" } as const;
    expect((await maps.create({ metadata: { name: "a" } }, options)).metadata.name).toBe("a");
    expect(server.last.query).toEqual(options);
  });
});

it("OLD9: an old server sends no deprecation warnings, but the lifecycle tables know them", async () => {
  const warnings: string[] = [];
  const endpoints = { apiVersion: "v1", kind: "Endpoints" } as const;
  const server = new ScriptedServer({ body: { ...endpoints, metadata: { name: "a" } } });
  const onWarning = (text: string) => void warnings.push(text);
  await server.client().resource(Endpoints, "prod").get("a", { onWarning });
  expect(warnings).toEqual([]);
  expect(lifecycleOf(endpoints)?.deprecated).toBe("1.33");
  const gone = { apiVersion: "extensions/v1beta1", kind: "Ingress" };
  expect(lifecycleOf(gone)).toMatchObject({ removed: "1.22" });
});
