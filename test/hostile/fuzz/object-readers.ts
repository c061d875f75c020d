import { strictEqual } from "node:assert/strict";
import { loadSchema } from "@typekube/api/schema";
import { startApiServer } from "@typekube/apiserver";
import { applyConflicts, type Status } from "@typekube/core";
import {
  codecs,
  errorFromStatus,
  isJsonObject,
  jsonEqual,
  jsonPatchBetween,
  mergePatchBetween,
  strategicPatchBetween,
} from "@typekube/core/internal";
import {
  applyPatch,
  call,
  jsonPatch,
  mergePatch,
  strategicPatch,
} from "@typekube/test-support/api-calls";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { applyJsonPatch } from "../../../packages/apiserver/src/phases/patch/json-patch.js";
import { fromResourceList } from "../../../packages/client/src/discovery/api-resources.js";
import { type HostileReader, parsedObject, textReader } from "./hostile-reader.js";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", labels: { app: "a" }, finalizers: ["x.io/a"] },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: "a" } },
    template: {
      metadata: { labels: { app: "a" } },
      spec: {
        containers: [
          { name: "c", image: "i", ports: [{ containerPort: 80, protocol: "TCP" }] },
          { name: "d", image: "j", env: [{ name: "A", value: "b" }] },
        ],
      },
    },
  },
};

const conflict = {
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  reason: "Conflict",
  code: 409,
  details: {
    causes: [
      {
        reason: "FieldManagerConflict",
        message: 'conflict with "a" using apps/v1 at 2026-01-01T00:00:00Z',
        field: '.spec.template.spec.containers[name="c"].image',
      },
    ],
  },
};

/** Returns readers that build patches; the JSON patch is also applied. */
async function patchReaders(): Promise<HostileReader[]> {
  const table = await loadSchema("apps/v1");
  const seed = [JSON.stringify(deployment)];
  const between = (name: string, read: (after: object) => unknown) =>
    textReader(name, seed, (text) => {
      const after = parsedObject(text);
      return after && read(after);
    });
  return [
    between("jsonPatchBetween()", (after) => {
      if (isJsonObject(after)) {
        const patched = applyJsonPatch(deployment, jsonPatchBetween(deployment, after));
        strictEqual(jsonEqual(patched, after), true);
      }
    }),
    between("mergePatchBetween()", (after) => mergePatchBetween(deployment, after)),
    between(
      "strategicPatchBetween()",
      (after) => table && strategicPatchBetween(deployment, after, table, "Deployment"),
    ),
    textReader("applyConflicts()", [JSON.stringify(conflict)], (text) => {
      const status = parsedObject(text);
      return status && applyConflicts(errorFromStatus(status as Status), deployment);
    }),
  ];
}

const path = "/apis/apps/v1/namespaces/default/deployments";
const image = "/spec/template/spec/containers/0/image";
const patches: readonly (readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  patches: readonly object[],
])[] = [
  [
    "JSON patch",
    jsonPatch,
    [
      [
        { op: "test", path: image, value: "i" },
        { op: "replace", path: image, value: "k" },
      ],
      [
        { op: "copy", from: "/spec/template", path: "/metadata/annotations" },
        { op: "move", from: "/metadata/finalizers/-1", path: "/metadata/finalizers/0" },
      ],
    ],
  ],
  [
    "merge patch",
    mergePatch,
    [{ metadata: { labels: { a: null, b: "c" } }, spec: { replicas: 2 } }],
  ],
  [
    "strategic merge patch",
    strategicPatch,
    [
      {
        spec: {
          template: {
            spec: {
              containers: [
                { name: "c", $patch: "delete" },
                { name: "e", image: "z" },
              ],
              "$setElementOrder/containers": [{ name: "d" }, { name: "e" }],
            },
          },
        },
        metadata: { "$deleteFromPrimitiveList/finalizers": ["x.io/a"] },
      },
    ],
  ],
  ["apply", applyPatch, [deployment]],
];

/** Returns readers that send patches to the embedded server, which may reject them but must not fail internally. */
async function serverReaders(): Promise<HostileReader[]> {
  const api = await startApiServer({ seed: 1 });
  const { status } = await call(api, "POST", path, deployment);
  strictEqual(status, 201);
  return patches.map(([name, headers, seeds]) => ({
    name: `${name}, embedded server`,
    seeds: seeds.map((seed) => Buffer.from(JSON.stringify(seed))),
    async read(bytes) {
      const target = `${path}/a?dryRun=All&fieldManager=fuzz&force=${name === "apply"}`;
      const query = name === "apply" ? target : target.replace("&force=false", "");
      const response = await call(api, "PATCH", query, bytes, headers);
      // Real servers respond to some patch errors with 500 and a different reason.
      if (/Internal error occurred/.test(response.text)) {
        throw new Error(`${response.status}: ${response.text.slice(0, 1000)}`);
      }
      if (response.status >= 400) {
        throw errorFromStatus(response.body as Status, { httpStatus: response.status });
      }
    },
  }));
}

const responseKind = { group: "", version: "v1", kind: "Widget" };
const aggregated = {
  kind: "APIGroupDiscoveryList",
  apiVersion: "apidiscovery.k8s.io/v2",
  items: [
    {
      metadata: { name: "x.io" },
      versions: [
        {
          version: "v1",
          freshness: "Current",
          resources: [
            {
              resource: "widgets",
              responseKind,
              scope: "Namespaced",
              singularResource: "widget",
              shortNames: ["w"],
              categories: ["all"],
              verbs: ["get", "list"],
              subresources: [{ subresource: "status", responseKind, verbs: ["get"] }],
            },
          ],
        },
      ],
    },
  ],
};
const plain = {
  kind: "APIGroupList",
  apiVersion: "v1",
  groups: [
    {
      name: "x.io",
      versions: [{ groupVersion: "x.io/v1", version: "v1" }],
      preferredVersion: { groupVersion: "x.io/v1", version: "v1" },
    },
  ],
};

const resourceList = {
  kind: "APIResourceList",
  apiVersion: "v1",
  groupVersion: "x.io/v1",
  resources: [
    {
      name: "widgets",
      singularName: "widget",
      namespaced: true,
      kind: "Widget",
      verbs: ["get"],
      shortNames: ["w"],
      categories: ["all"],
    },
    {
      name: "widgets/scale",
      namespaced: true,
      group: "autoscaling",
      version: "v1",
      kind: "Scale",
      verbs: ["get"],
    },
  ],
};

/** Readers of discovery documents, aggregated and plain. */
const discoveryReaders: readonly HostileReader[] = [aggregated, plain].map((body) => ({
  name: `discovery, ${body.kind}`,
  seeds: [Buffer.from(JSON.stringify(body))],
  async read(bytes) {
    const as = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const headers = { "content-type": body === aggregated ? as : "application/json" };
    const client = new ScriptedServer({ headers, body: bytes }).client();
    const { resources } = await client.discovery.served();
    return resources;
  },
}));

const resourceListReader = textReader(
  "discovery, APIResourceList",
  [JSON.stringify(resourceList)],
  async (text) =>
    fromResourceList({ group: "x.io", version: "v1" }, await codecs.json.decode(Buffer.from(text))),
);

/** Returns readers of patches and discovery documents. */
export async function objectReaders(): Promise<HostileReader[]> {
  return [
    ...(await patchReaders()),
    ...(await serverReaders()),
    ...discoveryReaders,
    resourceListReader,
  ];
}
