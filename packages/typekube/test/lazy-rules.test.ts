import { type ApiServer, startApiServer } from "@typekube/apiserver";
import { call } from "@typekube/test-support/api-calls";
import { expect, test, vi } from "vitest";

// The entry points through which all code of rules is imported.
const loaded: string[] = [];
vi.mock(import("../../cel/src/index.js"), async (original) => {
  loaded.push("cel");
  return original();
});
vi.mock(import("../../cel/src/internal.js"), async (original) => {
  loaded.push("cel/internal");
  return original();
});
vi.mock(import("../../cel/src/re2/index.js"), async (original) => {
  loaded.push("cel/re2");
  return original();
});
vi.mock(import("../../schema/src/rules.js"), async (original) => {
  loaded.push("schema/rules");
  return original();
});

const kindOf = (plural: string) => `Kind-of-${plural}`;
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

function definition(plural: string, size: object): object {
  const schema = { type: "object", properties: { size } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural, kind: kindOf(plural) },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

/** Creates an object and returns the message of the response, "created" for a success. */
async function create(api: ApiServer, plural: string, size: unknown): Promise<string> {
  const object = {
    apiVersion: "example.com/v1",
    kind: kindOf(plural),
    metadata: { name: "a" },
    size,
  };
  const { status, body } = await call(api, "POST", `/apis/example.com/v1/${plural}`, object);
  return status === 201 ? "created" : String(body.message);
}

test("VS4: CEL is loaded by the first rule, the pattern engine by the first pattern, nothing by a start", async () => {
  const { connect } = await import("typekube");
  await using _client = await connect({ server: "http://127.0.0.1:9" });
  await using api = await startApiServer();
  const plain = await call(api, "POST", definitions, definition("plains", { type: "string" }));
  expect([plain.status, await create(api, "plains", "s")]).toEqual([201, "created"]);
  expect(loaded).toEqual([]);

  const letter = { type: "string", pattern: "^[a-z]$" };
  await call(api, "POST", definitions, definition("letters", letter));
  expect(loaded).toEqual(["cel/re2"]);
  expect(await create(api, "letters", "1")).toMatch(/should match '\^\[a-z\]\$'/);

  const wrong = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 'a'" }] };
  const refused = await call(api, "POST", definitions, definition("numbers", wrong));
  expect(loaded.sort()).toEqual(["cel", "cel/internal", "cel/re2", "schema/rules"]);
  expect(refused.body.message).toMatch(/found no matching overload for '_>_'/);
  const right = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 1" }] };
  expect((await call(api, "POST", definitions, definition("numbers", right))).status).toBe(201);
  expect(await create(api, "numbers", 1)).toMatch(/failed rule: self > 1/);
});
