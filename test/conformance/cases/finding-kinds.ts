import assert from "node:assert/strict";
import type { ResourceDescriptor } from "@typekube/api";
import { APIService } from "@typekube/api/apiregistration/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { builtInResources } from "@typekube/api/resources";
import { compareApiVersions } from "@typekube/client";
import { contextOf, Discovery } from "@typekube/client/internal";
import { isNotFound, KubeError } from "@typekube/core";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { configMap, deployment } from "../support/objects.js";
import { widgets } from "../support/widgets.js";

/** Cases for discovery by a client: kinds by name, groups, and the server's own OpenAPI documents. */
export const findingKinds: readonly ConformanceCase[] = [
  {
    id: "find-by-name",
    name: "discovery finds a resource by plural, singular, kind, short name and group",
    async run({ client, namespace, signal }) {
      const names = {
        deploy: "apps/v1 Deployment",
        deployments: "apps/v1 Deployment",
        Deployment: "apps/v1 Deployment",
        "deployments.apps": "apps/v1 Deployment",
        "deployments.v1.apps": "apps/v1 Deployment",
        po: "v1 Pod",
        svc: "v1 Service",
        hpa: "autoscaling/v2 HorizontalPodAutoscaler",
        "hpa.v1.autoscaling": "autoscaling/v1 HorizontalPodAutoscaler",
        crd: "apiextensions.k8s.io/v1 CustomResourceDefinition",
        events: "v1 Event",
        "events.events.k8s.io": "events.k8s.io/v1 Event",
        widget: `${widgets.apiVersion} Widget`,
      };
      for (const [name, expected] of Object.entries(names)) {
        const { apiVersion, kind } = await client.discovery.find(name, { signal });
        assert.equal(`${apiVersion} ${kind}`, expected, name);
      }
      const cm = await client.discovery.find("cm", { signal });
      const created = await client.resource(cm, namespace).create({ ...configMap("a") });
      assert.equal(created.kind, "ConfigMap");
      await assert.rejects(client.discovery.find("nothings"), isNotFound);
    },
  },
  {
    id: "find-built-in",
    name: "discovery of a built-in kind equals its descriptor, subresources included",
    async run({ client, signal }) {
      const { resources } = await client.discovery.served({ signal });
      let compared = 0;
      for (const descriptor of builtInResources) {
        const found = resources.find(
          ({ apiVersion, plural }) =>
            apiVersion === descriptor.apiVersion && plural === descriptor.plural,
        );
        if (found !== undefined) {
          const name = `${descriptor.apiVersion} ${descriptor.kind}`;
          assert.deepEqual(serversPart(found), serversPart(descriptor), name);
          compared++;
        }
      }
      assert.ok(compared > 60, `${compared} kinds`);
    },
  },
  {
    id: "find-and-write-status",
    name: "status and scale can be written by apiVersion and kind as by the descriptor",
    async run({ client, namespace }) {
      await client.resource(Deployment, namespace).create(deployment("a", 1));
      const { apiVersion, kind } = Deployment;
      const byNames = client.resource({ apiVersion, kind }, namespace);
      const read = await byNames.get("a");
      const written = await byNames.status.update("a", { ...read, status: { replicas: 1 } });
      assert.deepEqual(written["status"], { replicas: 1 });
      const scaled = await byNames.scale.modify("a", (scale) => {
        scale["spec"] = { replicas: 2 };
      });
      assert.equal(scaled.apiVersion, "autoscaling/v1");
      assert.equal((await client.resource(Deployment, namespace).get("a")).spec?.replicas, 2);
    },
  },
  {
    id: "find-by-category",
    name: "the category all has the resources that kubectl get all shows",
    async run({ client, signal }) {
      const all = await client.discovery.findAll("all", { signal });
      const names = all.map(({ plural, group }) => (group === "" ? plural : `${plural}.${group}`));
      for (const name of ["pods", "services", "deployments.apps", "jobs.batch"]) {
        assert.ok(names.includes(name), `${name} is missing in ${names.join(", ")}`);
      }
      assert.equal(new Set(names).size, names.length);
      assert.ok(!names.includes("secrets"));
    },
  },
  {
    id: "DEP7",
    name: "each group has a preferred version, which is listed first",
    async run({ client, signal }) {
      const { groups, resources, failed } = await client.discovery.served({ signal });
      assert.deepEqual(failed, []);
      const autoscaling = groups.find(({ name }) => name === "autoscaling");
      assert.deepEqual(autoscaling?.versions, ["v2", "v1"]);
      assert.equal(autoscaling.preferredVersion, "v2");
      assert.ok(groups.some(({ name }) => name === ""));
      assert.ok(resources.length > 50);
      for (const { versions } of groups) {
        assert.deepEqual([...versions].sort(compareApiVersions), versions);
      }
    },
  },
  {
    id: "discovery-client-etag",
    name: "a client sends the ETag of its cached discovery and keeps the cache on 304",
    async run({ client, signal }) {
      const responses: string[] = [];
      const { send, clock } = contextOf(client);
      const discovery = new Discovery({
        defaults: {},
        clock,
        send: async (request) => {
          const response = await send(request);
          responses.push(`${request.path} ${response.status}`);
          return response;
        },
      });
      const before = await discovery.served({ signal });
      discovery.invalidate();
      const after = await discovery.served({ signal });
      assert.deepEqual(responses.sort(), ["/api 200", "/api 304", "/apis 200", "/apis 304"]);
      assert.deepEqual(after, before);
    },
  },
  {
    id: "stale-group",
    name: "a group whose server does not respond is reported as failed and hides no other group",
    needs: ["aggregation"],
    async run({ client, namespace, signal }) {
      const version = "v1";
      const group = `${namespace}.stale.typekube.dev`;
      const name = `${version}.${group}`;
      const services = client.resource(APIService);
      await services.create({
        metadata: { name },
        spec: {
          group,
          version,
          service: { namespace, name: "nobody" },
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 100,
        },
      });
      try {
        const failed = await failedGroup({ client, signal }, `${group}/${version}`);
        assert.equal(failed.code, "ServiceUnavailable");
        assert.equal((await client.discovery.find("deploy", { signal })).kind, "Deployment");
        const kind = { apiVersion: `${group}/${version}`, kind: "Thing" };
        await assert.rejects(client.resource(kind, namespace).list({ signal }), (error) => {
          assert.ok(error instanceof KubeError);
          assert.ok(["NotFound", "ServiceUnavailable"].includes(error.code), error.message);
          return true;
        });
      } finally {
        await services.delete(name);
        client.discovery.invalidate();
      }
    },
  },
  {
    id: "MIG40",
    name: "a kind of a removed version fails with NotFound, which names the replacement",
    async run({ client, namespace, signal }) {
      const gone = {
        "batch/v1beta1 CronJob": /Kubernetes 1\.25 removed it; use CronJob in batch\/v1$/,
        "extensions/v1beta1 Ingress":
          /Kubernetes 1\.22 removed it; use Ingress in networking\.k8s\.io\/v1$/,
        "policy/v1beta1 PodSecurityPolicy": /Kubernetes 1\.25 removed it$/,
      };
      for (const [names, message] of Object.entries(gone)) {
        const [apiVersion = "", kind = ""] = names.split(" ");
        const list = client.resource({ apiVersion, kind }, namespace).list({ signal });
        await assert.rejects(list, (error) => {
          assert.ok(isNotFound(error));
          assert.match(error.message, message);
          return true;
        });
      }
    },
  },
  {
    id: "openapi-v3",
    name: "the document of a group-version is requested once, by its hash",
    async run({ client, signal }) {
      const paths = await client.openApi.paths({ signal });
      assert.match(
        paths.get("apis/apps/v1") ?? "",
        /^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/,
      );
      const document = await client.openApi.document("apps/v1", { signal });
      assert.match(String(document["openapi"]), /^3\.0/);
      const { schemas } = document["components"] as { schemas: object };
      assert.ok("io.k8s.api.apps.v1.Deployment" in schemas);
      assert.equal(await client.openApi.document("apps/v1", { signal }), document);
      assert.ok("paths" in (await client.openApi.document("v1", { signal })));
    },
  },
  {
    id: "openapi-v2",
    name: "the OpenAPI v2 document has every kind",
    async run({ client, signal }) {
      const document = await client.openApi.v2({ signal });
      assert.equal(document["swagger"], "2.0");
      assert.ok("io.k8s.api.core.v1.Pod" in (document["definitions"] as object));
    },
  },
];

/** Returns the error of a group, once discovery reports it; the server processes APIServices asynchronously. */
async function failedGroup(
  { client, signal }: Pick<ConformanceContext, "client" | "signal">,
  apiVersion: string,
): Promise<KubeError> {
  for (;;) {
    signal.throwIfAborted();
    client.discovery.invalidate();
    const { failed } = await client.discovery.served({ signal });
    const found = failed.find((one) => one.apiVersion === apiVersion);
    if (found) {
      return found.error;
    }
  }
}

/** Returns the discovery data of a resource with sorted lists; servers order them differently. */
function serversPart(descriptor: ResourceDescriptor): object {
  const parts = Object.entries(descriptor.subresources).map(
    ([name, { apiVersion, kind, verbs }]) =>
      [name, { apiVersion, kind, verbs: [...verbs].sort() }] as const,
  );
  const { group, version, apiVersion, kind, plural, singular, scope } = descriptor;
  return {
    names: { group, version, apiVersion, kind, plural, singular, scope },
    verbs: [...descriptor.verbs].sort(),
    shortNames: [...descriptor.shortNames].sort(),
    categories: [...descriptor.categories].sort(),
    subresources: Object.fromEntries(parts),
  };
}
