import { startApiServer } from "@typekube/apiserver";
import { call, type Json } from "@typekube/test-support/api-calls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentProtobuf } from "../src/server/openapi/document-protobuf.js";

const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

let api: Awaited<ReturnType<typeof startApiServer>>;
beforeAll(async () => {
  api = await startApiServer();
});
afterAll(() => api.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  call(api, "GET", path, undefined, headers);
const urlOf = async (name: string): Promise<string> =>
  (await get("/openapi/v3")).body.paths[name]?.serverRelativeURL;
const documentOf = async (name: string): Promise<Json> => (await get(await urlOf(name))).body;

const gadgets = (color: string): Json => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "gadgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "gadgets", singular: "gadget", kind: "Gadget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: {
          status: {},
          scale: { specReplicasPath: ".spec.n", statusReplicasPath: ".status.n" },
        },
        schema: {
          openAPIV3Schema: {
            type: "object",
            required: ["spec"],
            properties: {
              spec: {
                type: "object",
                properties: {
                  color: { type: "string", enum: [color] },
                  n: { type: "integer", nullable: true, default: 1 },
                  port: { "x-kubernetes-int-or-string": true },
                  child: {
                    type: "object",
                    "x-kubernetes-embedded-resource": true,
                    "x-kubernetes-preserve-unknown-fields": true,
                  },
                },
              },
              status: { type: "object", properties: { n: { type: "integer" } } },
            },
          },
        },
      },
    ],
  },
});

describe("OpenAPI v3", () => {
  it("ES19: a document URL with its hash is cacheable; a wrong hash redirects to the right one", async () => {
    const url = await urlOf("apis/apps/v1");
    expect(url).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
    const hash = url.slice(url.indexOf("=") + 1);
    const kept = await get(url);
    expect(kept.headers).toMatchObject({
      "cache-control": "public, immutable",
      "content-type": "application/json",
      etag: `"${hash}"`,
    });
    expect(kept.headers["expires"]).toMatch(/UTC$/);
    const plain = await get("/openapi/v3/apis/apps/v1");
    expect(plain.text).toBe(kept.text);
    expect(plain.headers["cache-control"]).toBe("no-cache, private");
    const moved = await get("/openapi/v3/apis/apps/v1?hash=AB");
    expect([moved.status, moved.headers["location"]]).toEqual([301, url]);
    expect((await get(url, { "if-none-match": `"${hash}"` })).status).toBe(304);
    expect((await get(url, { accept: "text/html" })).status).toBe(406);
    expect((await get("/openapi/v3/apis/nothing/v1")).status).toBe(404);
  });

  it("ES19: sends documents in protobuf on request, and in JSON otherwise", async () => {
    const name = "application/com.github.proto-openapi.spec.v3";
    const accepted = { [`${name}@v1.0+protobuf`]: true, [`${name}.v1.0+protobuf`]: true };
    const both = `application/json;q=0.5, ${name}.v1.0+protobuf`;
    for (const [accept, isProtobuf] of Object.entries({
      ...accepted,
      [both]: true,
      "*/*": false,
    })) {
      const { status, headers, text } = await get("/openapi/v3/apis/batch/v1", { accept });
      expect([status, headers["content-type"]]).toEqual([
        200,
        isProtobuf ? `${name}.v1.0+protobuf` : "application/json",
      ]);
      expect(text.startsWith(isProtobuf ? "\n\u00053.0.0\u0012" : "{")).toBe(true);
    }
    const other = { accept: `${name.replace("v3", "v2")}@v1.0+protobuf` };
    expect((await get("/openapi/v3/apis/batch/v1", other)).status).toBe(406);
    expect((await get("/openapi/v2", { accept: `${name}@v1.0+protobuf` })).status).toBe(406);
  });

  it("ES19: encodes a definition with every schema feature in protobuf", () => {
    const schema = {
      type: "object",
      nullable: true,
      default: {},
      not: { type: "string", default: false, enum: ["a b", "*", "", "yes", "1", 1, null] },
      allOf: [{ $ref: "#/components/schemas/a" }, { additionalProperties: false }],
      items: { multipleOf: 0.5, maximum: 3, maxLength: 300, uniqueItems: true },
      "x-kubernetes-validations": [{ rule: "self > 1", more: { deep: [1, "two"] }, none: [] }],
    };
    const bytes = documentProtobuf({ openapi: "3.0.0", components: { schemas: { a: schema } } });
    const text = Buffer.from(bytes).toString("latin1");
    for (const part of [
      "a b\n",
      "'*'\n",
      '""\n',
      '"yes"\n',
      '"1"\n',
      "null\n",
      '- rule: "self > 1"\n  more:\n    deep:\n      - 1\n      - two\n  none: []\n',
    ]) {
      expect(text).toContain(part);
    }
  });

  it("ES19: a built-in kind has its fields, lists, patches and verbs", async () => {
    const { openapi, paths, components } = await documentOf("apis/apps/v1");
    expect(openapi).toBe("3.0.0");
    const { schemas } = components;
    const deployment = schemas["io.k8s.api.apps.v1.Deployment"];
    expect(deployment["x-kubernetes-group-version-kind"]).toEqual([
      { group: "apps", kind: "Deployment", version: "v1" },
    ]);
    expect(schemas["io.k8s.api.core.v1.PodSpec"].properties.containers).toEqual({
      type: "array",
      items: { $ref: "#/components/schemas/io.k8s.api.core.v1.Container" },
      "x-kubernetes-list-map-keys": ["name"],
      "x-kubernetes-list-type": "map",
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge",
    });
    expect(schemas["io.k8s.api.apps.v1.DeploymentSpec"].properties.strategy).toEqual({
      allOf: [{ $ref: "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy" }],
      "x-kubernetes-patch-strategy": "retainKeys",
    });
    const item = paths["/apis/apps/v1/namespaces/{namespace}/deployments/{name}"];
    expect(Object.keys(item)).toEqual(["get", "put", "delete", "patch", "parameters"]);
    expect(item.patch["x-kubernetes-group-version-kind"].kind).toBe("Deployment");
    expect(item.patch.parameters.map(({ name }: Json) => name)).toContain("fieldValidation");
    expect(Object.keys(item.patch.requestBody.content)).toContain(
      "application/strategic-merge-patch+json",
    );
  });

  it("ES19: every reference resolves, and every operation has a unique ID", async () => {
    const names = Object.keys((await get("/openapi/v3")).body.paths);
    expect(names.length).toBeGreaterThan(20);
    const operations: string[] = [];
    for (const name of names) {
      const document = await documentOf(name);
      const text = JSON.stringify(document);
      for (const [, schema = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(Object.keys(document.components.schemas)).toContain(schema);
      }
      operations.push(...[...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id = ""]) => id));
    }
    expect(new Set(operations).size).toBe(operations.length);
  });

  it("ES13, ES19: describes a served definition; only its changes alter the hash of its document", async () => {
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const before = await urlOf("apis/apps/v1");
    await call(api, "POST", definitions, gadgets("red"));
    const url = await urlOf("apis/example.com/v1");
    const { paths, components } = (await get(url)).body;
    const gadget = components.schemas["com.example.v1.Gadget"];
    expect(gadget.required).toEqual(["spec"]);
    expect(gadget.properties.spec.properties).toEqual({
      color: { type: "string", enum: ["red"] },
      n: { type: "integer", nullable: true, default: 1 },
      port: {
        "x-kubernetes-int-or-string": true,
        anyOf: [{ type: "integer" }, { type: "string" }],
      },
      child: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        required: ["kind", "apiVersion"],
        properties: expect.objectContaining({ kind: { type: "string" } }),
      },
    });
    expect(Object.keys(paths)).toContain(
      "/apis/example.com/v1/namespaces/{namespace}/gadgets/{name}/scale",
    );
    const path = `${definitions}/gadgets.example.com`;
    const { metadata } = (await get(path)).body;
    await call(api, "PUT", path, {
      ...gadgets("blue"),
      metadata: { name: metadata.name, resourceVersion: metadata.resourceVersion },
    });
    expect(await urlOf("apis/example.com/v1")).not.toBe(url);
    expect(await urlOf("apis/apps/v1")).toBe(before);
    await call(api, "DELETE", path);
    expect(await urlOf("apis/example.com/v1")).toBeUndefined();
  });
});

describe("OpenAPI v2", () => {
  it("ES19: one document of everything, in JSON and in kubectl's protobuf", async () => {
    const json = await get("/openapi/v2");
    const { swagger, definitions, paths } = json.body;
    expect(swagger).toBe("2.0");
    expect(definitions["io.k8s.api.apps.v1.Deployment"].properties.spec).toEqual({
      $ref: "#/definitions/io.k8s.api.apps.v1.DeploymentSpec",
    });
    expect(definitions["io.k8s.apimachinery.pkg.api.resource.Quantity"]).toEqual({
      type: "string",
    });
    expect(Object.keys(paths)).toContain("/api/v1/namespaces/{namespace}/pods/{name}");
    const list = paths["/api/v1/namespaces/{namespace}/pods"].get;
    expect(list.parameters.find(({ name }: Json) => name === "limit").type).toBe("integer");

    const coded = await get("/openapi/v2", { accept: protobuf });
    expect(coded.headers["content-type"]).toBe(
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
    );
    // Field 1 of the document is its version, field 2 the info.
    expect(coded.text.slice(0, 6)).toBe("\n\u00032.0\u0012");
    expect(coded.text).toContain("io.k8s.api.apps.v1.DeploymentSpec");
    expect((await get("/openapi/v2", { accept: "text/html" })).status).toBe(406);
    const etag = json.headers["etag"] ?? "";
    expect((await get("/openapi/v2", { "if-none-match": etag })).status).toBe(304);
  });
});
