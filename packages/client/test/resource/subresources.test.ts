import type { ResourceDescriptor } from "@typekube/api";
import { builtInResources } from "@typekube/api/resources";
import { mergePatch } from "@typekube/client";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { describe, expect, it } from "vitest";

const streams = ["attach", "exec", "log", "portforward", "proxy"];

type Operation = (...args: readonly unknown[]) => Promise<unknown>;
type Operations = Readonly<Record<string, Operation>>;

/** The requests for each verb: method of the client, HTTP method, media type, and the arguments after the name. */
const calls = {
  get: [["get", "GET", undefined, []]],
  create: [["create", "POST", "application/json", [{}]]],
  update: [["update", "PUT", "application/json", [{}]]],
  patch: [
    ["patch", "PATCH", "application/merge-patch+json", [mergePatch({})]],
    ["apply", "PATCH", "application/apply-patch+yaml", [{}]],
  ],
} as const;

const rows = builtInResources.flatMap((descriptor: ResourceDescriptor) =>
  Object.entries(descriptor.subresources)
    .filter(([name]) => !streams.includes(name))
    .map(([name, subresource]) => ({
      title: `${descriptor.plural}/${name} in ${descriptor.apiVersion}: ${subresource.kind}, ${subresource.verbs.join(" ")}`,
      descriptor,
      name,
      subresource,
    })),
);

describe("GRP27: every subresource of every built-in kind, with its own kind and verbs", () => {
  it(`covers ${rows.length} subresources`, () => {
    const names = [...new Set(rows.map(({ name }) => name))].sort();
    console.log(`GRP27: ${rows.length} subresources, by name: ${names.join(", ")}`);
    expect(names).toEqual([
      "approval",
      "binding",
      "ephemeralcontainers",
      "eviction",
      "finalize",
      "resize",
      "scale",
      "status",
      "token",
    ]);
  });

  it.each(rows)(
    "$title: the method of each verb sends the subresource's request",
    async ({ descriptor, name, subresource }) => {
      const { apiVersion, kind, verbs } = subresource;
      const server = new ScriptedServer({ body: { apiVersion, kind } });
      const isNamespaced = descriptor.scope === "Namespaced";
      const type = descriptor as ResourceDescriptor<object, "Namespaced">;
      const client = server.client();
      const resource = isNamespaced ? client.resource(type, "ns") : client.resource(type);
      const operations = (resource as unknown as Readonly<Record<string, Operations>>)[name];
      const root = descriptor.group === "" ? "/api" : `/apis/${descriptor.group}`;
      const space = isNamespaced ? "/namespaces/ns" : "";
      const path = `${root}/${descriptor.version}${space}/${descriptor.plural}/a/${name}`;
      for (const verb of verbs) {
        for (const [method, http, mediaType, args] of calls[verb as keyof typeof calls]) {
          const response = await operations?.[method]?.("a", ...args);
          expect(response).toEqual({ apiVersion, kind });
          expect(server.last.method).toBe(http);
          expect(server.last.url).toBe(path);
          expect(server.last.headers["content-type"]).toBe(mediaType);
          if (method === "create" || method === "update") {
            const named = { apiVersion, kind, metadata: { name: "a" } };
            expect(JSON.parse(server.last.text)).toEqual(named);
          } else if (method === "apply") {
            expect(JSON.parse(server.last.text)).toEqual({ apiVersion, kind });
          }
        }
      }
      if (verbs.includes("get") && verbs.includes("update")) {
        await operations?.["modify"]?.("a", (object: Record<string, unknown>) => {
          object["changed"] = true;
        });
        expect([server.last.method, server.last.url]).toEqual(["PUT", path]);
      }
    },
  );

  it("rejects a body of another kind before sending", async () => {
    const server = new ScriptedServer({ body: {} });
    const pods = builtInResources.find(({ plural }) => plural === "pods");
    const resource = server
      .client()
      .resource(pods as ResourceDescriptor<object, "Namespaced">, "ns");
    const { eviction } = resource as unknown as Readonly<Record<string, Operations>>;
    await expect(eviction?.["create"]?.("a", { kind: "Pod" })).rejects.toThrow(
      'the object\'s kind is "Pod", but this client is for Eviction in policy/v1',
    );
    expect(server.sent).toEqual([]);
  });
});
