import assert from "node:assert/strict";
import type { KubeList, KubeObject } from "@typekube/api";
import type { Pod } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { configMap, deployment, pod } from "../support/objects.js";
import { accepted, rawCollection, refused } from "../support/raw-collection.js";

const childPods =
  '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';

/** Cases found by comparing deletes, parameters and selectors on both servers. */
export const comparedOnRequest: readonly ConformanceCase[] = [
  {
    id: "delete-wrong-options",
    name: "a delete with invalid options is rejected and deletes nothing",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { ...configMap("a") }));
      const read = (what: string, type: string, field: string) =>
        `json: cannot unmarshal ${what} into Go struct field DeleteOptions.${field} of type ${type}`;
      const wrong = [
        [{ gracePeriodSeconds: "3" }, read("string", "int64", "gracePeriodSeconds")],
        [{ gracePeriodSeconds: 1.5 }, read("number 1.5", "int64", "gracePeriodSeconds")],
        [
          { kind: "Pod", apiVersion: "v1" },
          'no kind "Pod" is registered for version "v1" in scheme "pkg/runtime/scheme.go:111"',
        ],
      ] as const;
      for (const [options, why] of wrong) {
        assert.deepEqual(await refused(configMaps.delete("/a", options)), [400, why]);
      }
      for (const [value, why] of [
        ["", "invalid syntax"],
        ["99999999999999999999", "value out of range"],
      ]) {
        assert.deepEqual(await refused(configMaps.delete(`/a?gracePeriodSeconds=${value}`)), [
          400,
          `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`,
        ]);
      }
      await accepted(configMaps.get("/a"));
    },
  },
  {
    id: "delete-job-warned",
    name: "a Job deleted without a propagation policy returns a warning about its pods",
    async run(context) {
      const jobs = rawCollection(context, "/apis/batch/v1/%/jobs");
      const template = { spec: { ...pod("x").spec, restartPolicy: "Never" } };
      for (const name of ["a", "b"]) {
        await accepted(jobs.post("", { metadata: { name }, spec: { template } }));
      }
      assert.equal((await jobs.delete("/a")).headers["warning"], childPods);
      const missing = await jobs.delete("/none");
      assert.deepEqual([missing.status, missing.headers["warning"]], [404, childPods]);
      const said = await jobs.delete("/b?propagationPolicy=Background");
      assert.equal(said.headers["warning"], undefined);
    },
  },
  {
    id: "delete-again-later",
    name: "another delete adds no finalizers to a pod in its grace period",
    async run(context) {
      const pods = rawCollection(context, "/api/v1/%/pods");
      const { spec } = pod("a");
      await accepted(pods.post("", { metadata: { name: "a" }, spec: { ...spec, nodeName: "n" } }));
      await accepted(pods.delete("/a"));
      const again = await accepted<Pod>(pods.delete("/a?propagationPolicy=Foreground"));
      assert.equal(again.metadata?.finalizers, undefined);
      await accepted(pods.delete("/a?gracePeriodSeconds=0"));
      assert.equal((await pods.get("/a")).status, 404);
    },
  },
  {
    id: "create-name-and-generated",
    name: "a create with a taken name and generateName responds with AlreadyExists and mentions generated names",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      const metadata = { name: "a", generateName: "a-" };
      await accepted(configMaps.post("", { metadata }));
      const response = await configMaps.post("", { metadata });
      assert.deepEqual(
        [
          response.status,
          response.json<{ message: string }>().message,
          response.headers["retry-after"],
        ],
        [
          409,
          'configmaps "a" already exists, the server was not able to generate a unique name for the object',
          "1",
        ],
      );
    },
  },
  {
    id: "strategic-without-key",
    name: "a strategic merge patch with an item without its merge key or an unknown directive is rejected",
    async run(context) {
      const deployments = rawCollection(context, "/apis/apps/v1/%/deployments");
      await accepted(deployments.post("", { ...deployment("a") }));
      const patched = (containers: object[]) =>
        deployments.strategic("/a", { spec: { template: { spec: { containers } } } });
      assert.deepEqual(await refused(patched([{ image: "q" }])), [
        500,
        "map: map[image:q] does not contain declared merge key: name",
      ]);
      assert.deepEqual(await refused(deployments.strategic("/a", { $patch: "odd" })), [
        500,
        "unknown patch type: odd in map: map[$patch:odd]",
      ]);
      const [code, why] = await refused(patched([{ name: "main", $patch: "replace", image: "j" }]));
      assert.equal(code, 422);
      assert.match(why, /spec\.template\.spec\.containers: Required value$/);
    },
  },
  {
    id: "fields-of-kinds",
    name: "each kind supports its own fields in field selectors",
    async run(context) {
      const { namespace } = context;
      const events = rawCollection(context, "/apis/events.k8s.io/v1/%/events");
      const event = {
        metadata: { name: "a" },
        eventTime: "2026-01-01T00:00:00.000000Z",
        action: "A",
        reason: "R",
        type: "Normal",
        reportingController: "x.io/c",
        reportingInstance: "i",
        regarding: { kind: "Pod", name: "p", namespace },
      };
      await accepted(events.post("", event));
      const count = async (selector: string) => {
        const response = events.get(`?fieldSelector=${encodeURIComponent(selector)}`);
        return (await accepted<KubeList<KubeObject>>(response)).items.length;
      };
      assert.equal(await count("regarding.kind=Pod,reportingController=x.io/c,reason=R"), 1);
      assert.equal(await count("regarding.name=q"), 0);
      const requested = (path: string, field: string) =>
        refused(rawCollection(context, path).get(`?fieldSelector=${field}%3Dx`));
      assert.deepEqual(await requested("/api/v1/nodes", "metadata.namespace"), [
        400,
        "field label not supported: metadata.namespace",
      ]);
      assert.deepEqual(await requested("/apis/batch/v1/%/jobs", "spec.suspend"), [
        400,
        'field label "spec.suspend" not supported for Job',
      ]);
      assert.equal((await requested("/apis/apps/v1/%/replicasets", "status.replicas"))[0], 400);
      const slices = rawCollection(context, "/apis/resource.k8s.io/v1/resourceslices");
      await accepted(slices.get("?fieldSelector=spec.driver%3Dx"));
    },
  },
  {
    id: "watch-from-now",
    name: "a watch with sendInitialEvents=false starts at the present",
    async run(context) {
      const configMaps = rawCollection(context, "/api/v1/%/configmaps");
      await accepted(configMaps.post("", { ...configMap("before") }));
      const query = "watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
      const watch = configMaps.get(`?${query}&timeoutSeconds=1`);
      const { status, text } = await context.whileTimePasses(watch);
      assert.deepEqual([status, text], [200, ""]);
    },
  },
];
