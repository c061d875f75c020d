import { Deployment } from "@typekube/api/apps/v1";
import { Pod } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { cordon, restart, uncordon } from "typekube/lifecycle";
import { describe, expect, it } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: the tests pass values that the types reject
type Loose = any;

const object = { metadata: { name: "a" } };
const manifest = { apiVersion: "apps/v1", kind: "Deployment", ...object };
const patch = mergePatch({ metadata: { labels: { a: "b" } } });
const change = () => undefined;

/** Every call that takes `dryRun`. */
const writes: Readonly<Record<string, (client: Loose, options: Loose) => Loose>> = {
  create: (client, options) => pods(client).create(object, options),
  "create of a kind that discovery finds": (client, options) =>
    client.resource({ apiVersion: "x.io/v1", kind: "Widget" }, "prod").create(object, options),
  update: (client, options) => pods(client).update(object, options),
  modify: (client, options) => pods(client).modify("a", change, options),
  "modify that may create": (client, options) =>
    pods(client).modify("a", change, { ...options, createIfMissing: object }),
  patch: (client, options) => pods(client).patch("a", patch, options),
  apply: (client, options) => pods(client).apply(object, options),
  applyWithResult: (client, options) => pods(client).applyWithResult(object, options),
  delete: (client, options) => pods(client).delete("a", options),
  deleteCollection: (client, options) => pods(client).deleteCollection(options),
  "patch of metadata": (client, options) => pods(client).metadata().patch("a", patch, options),
  "delete of metadata": (client, options) => pods(client).metadata().delete("a", options),
  "deleteCollection of metadata": (client, options) =>
    pods(client).metadata().deleteCollection(options),
  "status.update": (client, options) => pods(client).status.update("a", object, options),
  "status.modify": (client, options) => pods(client).status.modify("a", change, options),
  "status.patch": (client, options) => pods(client).status.patch("a", patch, options),
  "status.apply": (client, options) => pods(client).status.apply("a", object, options),
  "scale.update": (client, options) =>
    client.resource(Deployment, "prod").scale.update("a", { spec: { replicas: 0 } }, options),
  "scale.patch": (client, options) =>
    client.resource(Deployment, "prod").scale.patch("a", patch, options),
  "eviction.create": (client, options) => pods(client).eviction.create("a", object, options),
  "binding.create": (client, options) =>
    pods(client).binding.create("a", { ...object, target: { name: "n" } }, options),
  "client.evict": (client, options) => client.evict("a", { namespace: "prod", ...options }),
  "client.decideCertificate": (client, options) =>
    client.decideCertificate("a", "Approved", options),
  "client.apply": (client, options) => client.apply(manifest, options),
  "client.applyAll": (client, options) => client.applyAll([manifest], options),
  "client.applyAll that reports": (client, options) =>
    client.applyAll([manifest], { ...options, onFailure: "report" }),
  "client.applyAndPrune": (client, options) =>
    client.applyAndPrune([manifest], { ...options, applySet: { name: "s" } }),
  "client.deleteAll": (client, options) => client.deleteAll([manifest], options),
  "client.deleteAll that reports": (client, options) =>
    client.deleteAll([manifest], { ...options, onFailure: "report" }),
  cordon: (client, options) => cordon(client, "n", options),
  uncordon: (client, options) => uncordon(client, "n", options),
  restart: (client, options) => restart(client, Deployment, "a", { namespace: "prod", ...options }),
};

function pods(client: Loose): Loose {
  return client.resource(Pod, "prod");
}

describe("DRY2: a dryRun other than All is refused before the first request", () => {
  const values = [true, false, null, "", "all", "true", 1, ["All"], {}];
  it.each(Object.entries(writes))("%s", async (_, write) => {
    for (const dryRun of values) {
      const server = new ScriptedServer({ body: { kind: "Pod", metadata: { name: "a" } } });
      const error = await failure((async () => write(server.client(), { dryRun }))());
      expect([error.code, error.rawMessage, error.hint]).toEqual([
        "InvalidArgument",
        'dryRun: must be "All"',
        'write dryRun: "All" for a dry run; omit dryRun for a real write',
      ]);
      expect(server.log).toEqual([]);
    }
  });

  it.each(values)("%j as the default of a client", (dryRun) => {
    const server = new ScriptedServer({});
    const client: Loose = server.client();
    expect(() => client.with({ dryRun })).toThrow('dryRun: must be "All"');
  });
});

it("DRY2: `undefined` means the default of the client, in every write", async () => {
  for (const [name, write] of Object.entries(writes)) {
    const server = new ScriptedServer({ body: { kind: "Pod", metadata: { name: "a" } } });
    // The scripted responses fit few of the calls: what counts is that the option is accepted.
    const outcome = await (async () => write(server.client(), { dryRun: undefined }))().catch(
      (error: unknown) => error,
    );
    expect(String(outcome), name).not.toContain("dryRun");
    expect(server.log, name).not.toEqual([]);
  }
});
