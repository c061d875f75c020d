import { call, type Json, mergePatch, watch } from "@typekube/test-support/api-calls";
import { connect } from "typekube";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const lamps = "/apis/example.com/v1/namespaces/default/lamps";
const free = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

function lampDefinition(schema: object = free, more: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "lamps.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "lamps", kind: "Lamp" },
      versions: [
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema }, ...more },
      ],
    },
  };
}

const lamp = (name: string, more: object = {}) => ({
  apiVersion: "example.com/v1",
  kind: "Lamp",
  metadata: { name },
  ...more,
});

const establishedOf = (body: Json) =>
  body.status.conditions?.find(({ type }: Json) => type === "Established")?.status;

describe("definitions of custom resources", () => {
  test("ES13: wrong schemas and rules of several versions are reported for each of them", async () => {
    await using api = await startApiServer();
    const rules = (rule: string, pattern: string) => ({
      type: "object",
      properties: { a: { type: "string", pattern } },
      "x-kubernetes-validations": [{ rule }],
    });
    const definition = lampDefinition() as Json;
    const causesOf = async (schemas: readonly object[]) => {
      definition.spec.versions = schemas.map((openAPIV3Schema, at) => ({
        name: `v${at}`,
        served: true,
        storage: at === 0,
        schema: { openAPIV3Schema },
      }));
      const { body } = await call(api, "POST", definitions, definition);
      return body.details.causes.map(({ field }: Json) => field);
    };
    const good = rules("self.a == 'x'", "^x$");
    const wrongRule = rules("self.b", "^x$");
    const wrongPattern = rules("self.a == 'x'", "(");
    expect(await causesOf([wrongRule, good, good, wrongRule])).toEqual([
      "spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule",
      "spec.versions[3].schema.openAPIV3Schema.x-kubernetes-validations[0].rule",
    ]);
    expect(await causesOf([good, wrongPattern, good, wrongPattern])).toEqual([
      "spec.versions[1].schema.openAPIV3Schema.properties[a].pattern",
      "spec.versions[3].schema.openAPIV3Schema.properties[a].pattern",
    ]);
  });

  test("ES13: serves a kind from the write of its definition on", async () => {
    await using api = await startApiServer();
    expect((await call(api, "GET", lamps)).status).toBe(404);
    const created = await call(api, "POST", definitions, lampDefinition());
    expect([created.status, created.headers["warning"]]).toEqual([201, undefined]);
    expect((await call(api, "POST", lamps, lamp("a"))).status).toBe(201);
    const { body } = await call(api, "GET", `${definitions}/lamps.example.com`);
    expect(establishedOf(body)).toBe("True");
  });

  test("ES13: watches of definitions see each step in order", async () => {
    await using api = await startApiServer();
    const seen = await watch(api, `${definitions}?watch=1`);
    await call(api, "POST", definitions, lampDefinition());
    const steps: unknown[] = [];
    for (let at = 0; at < 3; at++) {
      const { type, object } = await seen.next();
      steps.push([type, object.status.conditions?.map((one: Json) => `${one.type}=${one.status}`)]);
    }
    expect(steps).toEqual([
      ["ADDED", undefined],
      ["MODIFIED", ["NamesAccepted=True", "Established=False"]],
      ["MODIFIED", ["NamesAccepted=True", "Established=True"]],
    ]);
    await seen.stop();
  });

  test("ES13: establishDelayMs delays serving on the server's clock", async () => {
    await using api = await startApiServer({ clock: "virtual", establishDelayMs: 5_000 });
    await call(api, "POST", definitions, lampDefinition());
    await api.clock.advance(4_999);
    expect((await call(api, "GET", lamps)).status).toBe(404);
    const { body } = await call(api, "GET", `${definitions}/lamps.example.com`);
    expect(establishedOf(body)).toBe("False");
    await api.clock.advance(1);
    expect((await call(api, "GET", lamps)).status).toBe(200);
  });

  test("ES13: a dry run of a definition serves no resource", async () => {
    await using api = await startApiServer();
    const tried = await call(api, "POST", `${definitions}?dryRun=All`, lampDefinition());
    expect(tried.status).toBe(201);
    expect((await call(api, "GET", lamps)).status).toBe(404);
  });

  test("ES13: a changed schema ends the watches that started with the old one", async () => {
    await using api = await startApiServer();
    await call(api, "POST", definitions, lampDefinition());
    const seen = await watch(api, `${lamps}?watch=1`);
    const path = `${definitions}/lamps.example.com`;
    await call(api, "PATCH", path, { metadata: { labels: { a: "b" } } }, mergePatch);
    expect(api.openWatches).toBe(1);
    const columns = [{ name: "A", type: "string", jsonPath: ".a" }];
    const versions = (lampDefinition(free, { additionalPrinterColumns: columns }) as Json).spec
      .versions;
    await call(api, "PATCH", path, { spec: { versions } }, mergePatch);
    expect(await seen.next()).toBeUndefined();
    expect(api.openWatches).toBe(0);
  });

  test("ES14: a new watch shows stored objects by the current schema; bookmarks have no defaults", async () => {
    await using api = await startApiServer();
    const withDefault = (value: string) => ({
      type: "object",
      properties: { size: { type: "string", default: value } },
    });
    await call(api, "POST", definitions, lampDefinition());
    await call(api, "POST", lamps, lamp("a"));
    for (const size of ["big", "small"]) {
      const { versions } = (lampDefinition(withDefault(size)) as Json).spec;
      const path = `${definitions}/lamps.example.com`;
      await call(api, "PATCH", path, { spec: { versions } }, mergePatch);
      const seen = await watch(api, `${lamps}?watch=1&allowWatchBookmarks=1`);
      expect((await seen.next()).object.size).toBe(size);
      const { type, object } = await seen.next();
      expect([type, object.size]).toEqual(["BOOKMARK", undefined]);
      await seen.stop();
    }
  });

  test("ES13: deleting a definition deletes its objects, and it can be created again", async () => {
    await using api = await startApiServer();
    await call(api, "POST", definitions, lampDefinition());
    await call(api, "POST", lamps, lamp("a"));
    const deleted = await call(api, "DELETE", `${definitions}/lamps.example.com`);
    expect([deleted.status, deleted.body.kind]).toEqual([200, "CustomResourceDefinition"]);
    expect(deleted.body.metadata.finalizers).toEqual([
      "customresourcecleanup.apiextensions.k8s.io",
    ]);
    expect((await call(api, "GET", lamps)).status).toBe(404);
    expect((await call(api, "GET", `${definitions}/lamps.example.com`)).status).toBe(404);
    await call(api, "POST", definitions, lampDefinition());
    expect((await call(api, "GET", lamps)).body.items).toEqual([]);
  });

  test("ES13: the kind of a terminating definition allows reads and deletes, but no creates", async () => {
    await using api = await startApiServer();
    await call(api, "POST", definitions, lampDefinition());
    const held = { metadata: { name: "a", finalizers: ["example.com/hold"] } };
    await call(api, "POST", lamps, lamp("a", held));
    await call(api, "DELETE", `${definitions}/lamps.example.com`);
    const refused = await call(api, "POST", lamps, lamp("b"));
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'lamps.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    const { resources } = (await call(api, "GET", "/apis/example.com/v1")).body;
    expect(resources[0].verbs).toEqual(["delete", "deletecollection", "get", "list", "watch"]);
    await call(api, "PATCH", `${lamps}/a`, { metadata: { finalizers: null } }, mergePatch);
    expect((await call(api, "GET", lamps)).status).toBe(404);
  });

  test("CEL2: rules of a definition are enforced, on create and on update", async () => {
    await using api = await startApiServer();
    const rules = {
      ...free,
      "x-kubernetes-validations": [{ rule: "self.metadata.name != 'a'", message: "no a" }],
    };
    const created = await call(api, "POST", definitions, lampDefinition(rules));
    expect([created.status, created.headers["warning"]]).toEqual([201, undefined]);
    const refused = await call(api, "POST", lamps, lamp("a"));
    expect([refused.status, refused.body.details.causes]).toEqual([
      422,
      [{ reason: "FieldValueInvalid", message: "Invalid value: no a", field: "<nil>" }],
    ]);
    expect((await call(api, "POST", lamps, lamp("b"))).status).toBe(201);
  });

  test("CEL11: a definition whose rule does not compile is refused with the position", async () => {
    await using api = await startApiServer();
    const rules = { ...free, "x-kubernetes-validations": [{ rule: "self.x == 1" }] };
    const refused = await call(api, "POST", definitions, lampDefinition(rules));
    const [{ field, message }] = refused.body.details.causes;
    expect([refused.status, field]).toEqual([
      422,
      "spec.validation.openAPIV3Schema.x-kubernetes-validations[0].rule",
    ]);
    expect(message).toContain(
      "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x == 1\n | ....^",
    );
  });

  test("ES13: warns once about unknown formats and sets of objects", async () => {
    await using api = await startApiServer();
    const schema = {
      type: "object",
      properties: {
        a: { type: "string", format: "wave" },
        b: {
          type: "array",
          "x-kubernetes-list-type": "set",
          items: { type: "object", "x-kubernetes-map-type": "atomic" },
        },
      },
    };
    const created = await call(api, "POST", definitions, lampDefinition(schema));
    expect(created.headers["warning"]).toBe(
      '299 - "unrecognized format \\"wave\\"", 299 - "x-kubernetes-list-type: set for items of type \\"object\\" is not supported by server-side apply or CEL validation rules"',
    );
    const path = `${definitions}/lamps.example.com`;
    const labels = { metadata: { labels: { a: "b" } } };
    expect((await call(api, "PATCH", path, labels, mergePatch)).headers["warning"]).toBeUndefined();
  });

  test("ES14: keys like __proto__ and constructor are ordinary keys", async () => {
    await using api = await startApiServer();
    const map = { type: "object", additionalProperties: { type: "integer" } };
    const schema = { type: "object", properties: { spec: map } };
    await call(api, "POST", definitions, lampDefinition(schema));
    const body =
      '{"apiVersion":"example.com/v1","kind":"Lamp","metadata":{"name":"a"},"spec":{"__proto__":1,"constructor":2,"toString":3}}';
    const created = await call(api, "POST", lamps, body);
    expect(created.status).toBe(201);
    expect(JSON.stringify(created.body.spec)).toBe('{"__proto__":1,"constructor":2,"toString":3}');
    const bad = await call(api, "POST", lamps, body.replace("1,", '"x",').replace('"a"', '"b"'));
    expect(bad.body.details.causes.map(({ field }: Json) => field)).toEqual(["spec.__proto__"]);
  });

  test("ES13: an informer waits for a kind, survives its deletion and follows it when it is recreated", async () => {
    await using api = await startApiServer({ clock: "virtual" });
    await using client = await api.client();
    const reference = { apiVersion: "example.com/v1", kind: "Lamp" };
    // Code that the client loads on demand takes real time, which the virtual clock does not see.
    await expect(client.resource(reference, "default").list()).rejects.toThrow(/does not serve/);
    const informer = client.informer(reference);
    const seen: string[] = [];
    const note = (what: string) => (object: Json) => {
      seen.push(`${what} ${object.metadata.name}`);
    };
    informer.onChange({ add: note("add"), delete: note("delete"), replaced: note("replaced") });
    /** Lets time pass until the handler has received this number of changes. */
    const received = async (count: number) => {
      for (let second = 0; second < 600 && seen.length < count; second++) {
        await api.clock.advance(1_000);
      }
      return seen.splice(0);
    };
    await api.clock.advance(60_000);
    expect(seen).toEqual([]);
    await call(api, "POST", definitions, lampDefinition());
    await call(api, "POST", lamps, lamp("a"));
    expect(await received(1)).toEqual(["add a"]);
    await call(api, "POST", lamps, lamp("b"));
    expect(await received(1)).toEqual(["add b"]);
    await call(api, "DELETE", `${definitions}/lamps.example.com`);
    expect(await received(2)).toEqual(["delete a", "delete b"]);
    await call(api, "POST", definitions, lampDefinition());
    await call(api, "POST", lamps, lamp("c"));
    expect(await received(1)).toEqual(["add c"]);
    expect(informer.health.synced).toBe(true);
    await informer.close();
  });

  test("a dynamic client finds the kind through discovery and reads only its metadata", async () => {
    await using api = await startApiServer();
    const client = await connect({ transport: api });
    await call(api, "POST", definitions, lampDefinition());
    const resource = client.resource({ apiVersion: "example.com/v1", kind: "Lamp" }, "default");
    await resource.create({ metadata: { name: "a" }, spec: { on: true } });
    expect((await resource.get("a"))["spec"]).toEqual({ on: true });
    const { items } = await resource.metadata().list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await client.close();
  });

  test("VC9 [+]: a warning explains why a rule is too expensive; the error is that of a real server", async () => {
    await using api = await startApiServer();
    const unique = {
      type: "array",
      items: { type: "string" },
      "x-kubernetes-validations": [{ rule: "self.all(x, self.exists_one(y, y == x))" }],
    };
    const schema = { type: "object", properties: { names: unique } };
    const { status, body, headers } = await call(api, "POST", definitions, lampDefinition(schema));
    expect(status).toBe(422);
    expect(body.message).not.toContain("maxItems <=");
    expect(headers["warning"]).toContain("maxItems <= ");
    expect(headers["warning"]).toContain(" at names makes this ");
  });
});
