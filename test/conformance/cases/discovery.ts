import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ConformanceCase } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { expectRefusal, rawRequest } from "../support/raw-request.js";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

interface Discovered {
  readonly kind: string;
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly {
        readonly resource: string;
        readonly scope: string;
        readonly verbs: readonly string[];
        readonly responseKind: { readonly kind: string };
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

interface ResourceList {
  readonly kind: string;
  readonly groupVersion: string;
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly storageVersionHash?: string;
  }[];
}

interface DeleteOperation {
  readonly responses: Readonly<
    Record<string, { readonly content: Record<string, { readonly schema: { $ref: string } }> }>
  >;
}

/** Cases for discovery. */
export const discovery: readonly ConformanceCase[] = [
  {
    id: "version",
    name: "/version returns the Kubernetes version",
    async run({ client }) {
      const { major, minor, gitVersion } = await client.version();
      assert.equal(major, "1");
      assert.equal(minor, "37");
      assert.match(gitVersion, /^v1\.37\./);
    },
  },
  {
    id: "health",
    name: "the health endpoints return ok",
    async run(context) {
      for (const path of ["/livez", "/readyz", "/healthz"]) {
        const { status, text } = await rawRequest(context, { path, accept: "*/*" });
        assert.deepEqual([status, text], [200, "ok"]);
      }
    },
  },
  {
    id: "discovery-api",
    name: "/api lists the versions of the core group",
    async run(context) {
      const response = (await rawRequest(context, { path: "/api" })).json();
      assert.equal(response["kind"], "APIVersions");
      assert.deepEqual(response["versions"], ["v1"]);
    },
  },
  {
    id: "discovery-groups",
    name: "/apis lists the groups with their preferred version",
    async run(context) {
      const list = (await rawRequest(context, { path: "/apis" })).json<{
        kind: string;
        groups: { name: string; preferredVersion: { groupVersion: string } }[];
      }>();
      assert.equal(list.kind, "APIGroupList");
      const preferred = Object.fromEntries(
        list.groups.map((group) => [group.name, group.preferredVersion.groupVersion]),
      );
      assert.equal(preferred["apps"], "apps/v1");
      assert.equal(preferred["autoscaling"], "autoscaling/v2");
      assert.equal(preferred["coordination.k8s.io"], "coordination.k8s.io/v1");
    },
  },
  {
    id: "discovery-resources",
    name: "/api/v1 lists resources and subresources",
    async run(context) {
      const list = (await rawRequest(context, { path: "/api/v1" })).json<ResourceList>();
      assert.equal(list.kind, "APIResourceList");
      assert.equal(list.groupVersion, "v1");
      const pods = list.resources.find(({ name }) => name === "pods");
      assert.equal(pods?.kind, "Pod");
      assert.equal(pods.namespaced, true);
      assert.deepEqual(pods.shortNames, ["po"]);
      assert.deepEqual([...pods.verbs].sort(), [
        "create",
        "delete",
        "deletecollection",
        "get",
        "list",
        "patch",
        "update",
        "watch",
      ]);
      assert.ok(list.resources.some(({ name }) => name === "pods/status"));
    },
  },
  {
    id: "GRP3",
    name: "beta and alpha versions are disabled by default",
    async run(context) {
      const list = (await rawRequest(context, { path: "/apis" })).json<{
        groups: { versions: { version: string }[] }[];
      }>();
      const versions = list.groups.flatMap((group) => group.versions.map(({ version }) => version));
      assert.deepEqual(
        versions.filter((version) => /alpha|beta/.test(version)),
        [],
      );
    },
  },
  {
    id: "discovery-aggregated",
    name: "aggregated discovery returns every group in one response",
    async run(context) {
      const { json, headers } = await rawRequest(context, { path: "/apis", accept: aggregated });
      assert.match(headers["content-type"] ?? "", /as=APIGroupDiscoveryList/);
      const { kind, items } = json<Discovered>();
      assert.equal(kind, "APIGroupDiscoveryList");
      const apps = items.find(({ metadata }) => metadata.name === "apps");
      const deployments = apps?.versions[0]?.resources.find(
        ({ resource }) => resource === "deployments",
      );
      assert.equal(deployments?.scope, "Namespaced");
      assert.equal(deployments.responseKind.kind, "Deployment");
      assert.deepEqual(deployments.subresources?.map(({ subresource }) => subresource).sort(), [
        "scale",
        "status",
      ]);
    },
  },
  {
    id: "discovery-aggregated-etag",
    name: "unchanged aggregated discovery responds with 304",
    async run(context) {
      const first = await rawRequest(context, { path: "/api", accept: aggregated });
      const etag = first.headers["etag"] ?? "";
      assert.ok(etag);
      const again = await rawRequest(context, {
        path: "/api",
        accept: aggregated,
        headers: { "if-none-match": etag },
      });
      assert.equal(again.status, 304);
    },
  },
  {
    id: "GRP12",
    name: "aggregated and plain discovery list the same resources",
    async run(context) {
      const { items } = (
        await rawRequest(context, { path: "/api", accept: aggregated })
      ).json<Discovered>();
      const resources = items[0]?.versions.find(({ version }) => version === "v1")?.resources ?? [];
      const names = resources.flatMap(({ resource, subresources = [] }) => [
        resource,
        ...subresources.map(({ subresource }) => `${resource}/${subresource}`),
      ]);
      const list = (await rawRequest(context, { path: "/api/v1" })).json<ResourceList>();
      assert.deepEqual(names.sort(), list.resources.map(({ name }) => name).sort());
    },
  },
  {
    id: "not-served-group",
    name: "a group that is not served responds with 404 in plain text",
    async run(context) {
      const path = "/apis/nothing.example.com/v1";
      const { status, headers, text } = await rawRequest(context, { path });
      assert.equal(status, 404);
      assert.match(headers["content-type"] ?? "", /^text\/plain/);
      assert.equal(text, "404 page not found\n");
    },
  },
  {
    id: "not-served-resource",
    name: "a missing resource or version of a served group responds with a Status",
    async run(context) {
      for (const path of ["/api/v1/nothing", "/apis/apps/v1alpha7/deployments"]) {
        await expectRefusal(
          context,
          { path },
          {
            code: 404,
            reason: "NotFound",
            message: "the server could not find the requested resource",
          },
        );
      }
    },
  },
  {
    id: "openapi-v3-hash",
    name: "an OpenAPI document requested by its hash is immutable; another hash redirects to the current document",
    async run(context) {
      const { paths } = JSON.parse(
        (await rawRequest(context, { path: "/openapi/v3" })).text,
      ) as Record<"paths", Record<string, { readonly serverRelativeURL: string }>>;
      const url = paths["apis/apps/v1"]?.serverRelativeURL ?? "";
      const kept = await rawRequest(context, { path: url });
      assert.equal(kept.headers["cache-control"], "public, immutable");
      assert.equal(kept.headers["etag"], `"${url.slice(url.indexOf("=") + 1)}"`);
      const etag = kept.headers["etag"] ?? "";
      const again = await rawRequest(context, { path: url, headers: { "if-none-match": etag } });
      assert.equal(again.status, 304);
      const other = await rawRequest(context, { path: "/openapi/v3/apis/apps/v1?hash=0" });
      assert.deepEqual([other.status, other.headers["location"]], [301, url]);
      const refused = await rawRequest(context, { path: url, accept: "text/html" });
      assert.equal(refused.status, 406);
      const missing = await rawRequest(context, { path: "/openapi/v3/apis/nothing/v1" });
      assert.equal(missing.status, 404);
    },
  },
  {
    id: "openapi-deleted",
    name: "the OpenAPI document states which deletes return the object, and they do",
    async run(context) {
      const { client, signal } = context;
      const { paths } = (await client.openApi.document("storage.k8s.io/v1", { signal })) as Record<
        "paths",
        Record<string, Record<"delete", DeleteOperation>>
      >;
      const said =
        paths["/apis/storage.k8s.io/v1/storageclasses/{name}"]?.delete.responses["200"]?.content[
          "application/json"
        ]?.schema.$ref;
      assert.match(said ?? "", /\.StorageClass$/);
      const path = "/apis/storage.k8s.io/v1/storageclasses";
      const name = `deleted-${context.namespace}`;
      const body = { metadata: { name }, provisioner: "example.com/none" };
      await rawRequest(context, { method: "POST", path, body });
      const deleted = await rawRequest(context, { method: "DELETE", path: `${path}/${name}` });
      assert.deepEqual([deleted.status, deleted.json()["kind"]], [200, "StorageClass"]);
    },
  },
  {
    id: "openapi-v2-protobuf",
    name: "/openapi/v2 is also served in the protobuf that kubectl requests",
    async run(context) {
      const accept = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
      const { status, headers, bytes } = await rawRequest(context, { path: "/openapi/v2", accept });
      assert.equal(status, 200);
      assert.equal(headers["content-type"], accept.replace("@", "."));
      // Field 1 is the version of the format.
      assert.deepEqual([...bytes.subarray(0, 5)], [0x0a, 3, 0x32, 0x2e, 0x30]);
    },
  },
  {
    id: "storage-version-hash",
    name: "discovery reports the storage version of every stored kind as a hash",
    needs: ["crd"],
    async run(context) {
      const hashOf = async (groupVersion: string, plural: string) => {
        const path = groupVersion === "v1" ? "/api/v1" : `/apis/${groupVersion}`;
        const { resources } = (await rawRequest(context, { path })).json<ResourceList>();
        return resources.find(({ name }) => name === plural)?.storageVersionHash;
      };
      assert.equal(await hashOf("v1", "configmaps"), "qFsyl6wFWjQ=");
      assert.equal(await hashOf("v1", "events"), "r2yiGXH7wu8=");
      assert.equal(await hashOf("events.k8s.io/v1", "events"), "r2yiGXH7wu8=");
      assert.equal(
        await hashOf("autoscaling/v1", "horizontalpodautoscalers"),
        await hashOf("autoscaling/v2", "horizontalpodautoscalers"),
      );
      assert.equal(
        await hashOf("apiextensions.k8s.io/v1", "customresourcedefinitions"),
        "jfWCUB31mvA=",
      );
      assert.equal(await hashOf("v1", "pods/status"), undefined);
      assert.equal(await hashOf("authorization.k8s.io/v1", "subjectaccessreviews"), undefined);
      const sample = customDefinition("Hashed", [
        version({ type: "object" }, { name: "v2", storage: false }),
        version({ type: "object" }),
      ]);
      await customResource(context, sample);
      const stored = createHash("sha256").update(`${customGroup}/v1/Hashed`).digest();
      const expected = stored.subarray(0, 8).toString("base64");
      assert.equal(await hashOf(`${customGroup}/v1`, "hasheds"), expected);
      assert.equal(await hashOf(`${customGroup}/v2`, "hasheds"), expected);
    },
  },
];
