import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { failure } from "@typekube/test-support/failure";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { expect, it } from "vitest";
import { resourcePath } from "../../../packages/client/src/request/resource-path.js";

const hostile = "../../../../api/v1/namespaces/kube-system/secrets";

function aggregated(group: string, version: string, resource: string, subresource = "status") {
  const responseKind = { group: "", version: "", kind: "Widget" };
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: [
      {
        metadata: { name: group },
        versions: [
          {
            version,
            freshness: "Current",
            resources: [
              {
                resource,
                responseKind,
                scope: "Cluster",
                singularResource: "widget",
                verbs: ["create", "get", "patch"],
                subresources: [{ subresource, responseKind, verbs: ["get"] }],
              },
            ],
          },
        ],
      },
    ],
  };
}

/** Returns the resources that a client discovers, and the diagnostics about skipped entries. */
async function discovered(body: object) {
  const headers = {
    "content-type": "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
  };
  const server = new ScriptedServer({ headers, body });
  const skipped: unknown[] = [];
  const listen = (event: unknown) => skipped.push(event);
  subscribe("typekube:discovery.skipped", listen);
  try {
    const { resources } = await server.client().discovery.served();
    return { resources, skipped, server };
  } finally {
    unsubscribe("typekube:discovery.skipped", listen);
  }
}

it.each([
  ["a resource", aggregated("example.com", "v1", hostile)],
  ["a group", aggregated("../../api", "v1", "widgets")],
  ["a version", aggregated("example.com", "v1/../../../api/v1", "widgets")],
  ["a resource with a query", aggregated("example.com", "v1", "widgets?watch=1")],
  ["a resource with an escape", aggregated("example.com", "v1", "%2e%2e")],
  ["an empty resource", aggregated("example.com", "v1", "")],
])("skips %s that would change the path, with a diagnostic", async (_what, body) => {
  const { resources, skipped } = await discovered(body);
  expect(resources).toEqual([]);
  expect(skipped).toContainEqual(expect.objectContaining({ reason: "InvalidName" }));
});

it("skips a subresource that would change the path, and keeps its resource", async () => {
  const { resources, skipped } = await discovered(
    aggregated("example.com", "v1", "widgets", "../../pods"),
  );
  expect(resources.map(({ plural, subresources }) => [plural, Object.keys(subresources)])).toEqual([
    ["widgets", []],
  ]);
  expect(skipped[0]).toEqual({
    apiVersion: "example.com/v1",
    resource: "widgets/../../pods",
    reason: "InvalidName",
  });
});

it("rejects a descriptor with such names when building a path", async () => {
  const good = {
    group: "example.com",
    version: "v1",
    plural: "widgets",
    scope: "Cluster",
  } as const;
  for (const bad of [{ plural: hostile }, { group: ".." }, { version: "v1/x" }, { plural: "" }]) {
    const error = await failure(
      Promise.resolve().then(() => resourcePath({ ...good, ...bad } as never, {})),
    );
    expect(error.code).toBe("InvalidArgument");
  }
  expect(resourcePath(good as never, { name: "a" })).toBe("/apis/example.com/v1/widgets/a");
});

it.each<[field: string, body: object | string]>([
  ["the discovery document", "[]"],
  ["items", { items: {} }],
  ["items[0].metadata.name", { items: [{ metadata: { name: 1 } }] }],
  ["items[0].versions[1].version", { items: [{ versions: [null, { version: [] }] }] }],
  [
    "items[0].versions[0].resources[0].resource",
    { items: [{ versions: [{ resources: [{ resource: {} }] }] }] },
  ],
  [
    "items[0].versions[0].resources[0].verbs[0]",
    { items: [{ versions: [{ resources: [{ verbs: [1] }] }] }] },
  ],
])(
  "a wrong type in a discovery document is a Decode error that names %s",
  async (field, fields) => {
    const list = { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2" };
    const body = typeof fields === "string" ? fields : { ...list, ...fields };
    const error = await failure(new ScriptedServer({ body }).client().discovery.served());
    expect([error.code, error.message]).toEqual(["Decode", expect.stringContaining(field)]);
  },
);

it("treats null in a discovery document as absent, and skips an entry without a name", async () => {
  const none = { resource: null, responseKind: { kind: "A" } };
  const versions = [
    null,
    { version: "v1", resources: [null, none, { ...none, resource: "as", verbs: null }] },
  ];
  const items = [
    null,
    { metadata: null, versions: null },
    { metadata: { name: "x.io" }, versions },
  ];
  const { resources } = await discovered({ kind: "APIGroupDiscoveryList", items });
  expect(resources).toMatchObject([{ plural: "as", kind: "A", verbs: [] }]);
});
