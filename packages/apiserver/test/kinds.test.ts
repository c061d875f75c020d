import { call, deployments, mergePatch, pods } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";
import { readSchedule } from "../src/kinds/fields/cron-schedule.js";

const container = { name: "c", image: "i" };
const labels = { a: "b" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const workload = { selector: { matchLabels: labels }, template };
const services = "/api/v1/namespaces/default/services";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const jobs = "/apis/batch/v1/namespaces/default/jobs";
const statefulSets = "/apis/apps/v1/namespaces/default/statefulsets";

const port = (fields: object) => ({ spec: { containers: [{ ...container, ports: [fields] }] } });

describe("rejected on create", () => {
  test.each([
    ["pods", pods, { spec: { containers: [container, container] } }, ["spec.containers[1].name"]],
    ["ports", pods, port({ containerPort: 70_000 }), ["spec.containers[0].ports[0].containerPort"]],
    [
      "port names",
      pods,
      port({ containerPort: 1, name: "A" }),
      ["spec.containers[0].ports[0].name", "spec.containers[0].ports[0].name"],
    ],
    [
      "mounts",
      pods,
      { spec: { containers: [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }] } },
      ["spec.containers[0].volumeMounts[0].name"],
    ],
    [
      "labels",
      deployments,
      { spec: { ...workload, selector: { matchLabels: { a: "c" } } } },
      ["spec.template.metadata.labels"],
    ],
    [
      "restarts",
      deployments,
      {
        spec: {
          ...workload,
          template: { ...template, spec: { restartPolicy: "Never", containers: [container] } },
        },
      },
      ["spec.template.spec.restartPolicy"],
    ],
    [
      "jobs",
      jobs,
      { spec: { template: { spec: { containers: [container] } } } },
      ["spec.template.spec.restartPolicy"],
    ],
    [
      "unnamed ports",
      services,
      { spec: { ports: [{ port: 1 }, { port: 2 }] } },
      ["spec.ports[0].name", "spec.ports[1].name"],
    ],
    ["claims", claims, { spec: { accessModes: ["ReadWriteOnce"] } }, ["spec.resources[storage]"]],
  ])(
    "rejects a create and names the invalid or missing fields: %s",
    async (_, path, body, fields) => {
      await using api = await startApiServer();
      const refused = await call(api, "POST", path, { metadata: { name: "a" }, ...body });
      expect([refused.status, refused.body.reason]).toEqual([422, "Invalid"]);
      expect(refused.body.details.causes.map(({ field }: { field: string }) => field)).toEqual(
        fields,
      );
    },
  );
});

describe("immutable fields", () => {
  test.each([
    [
      "the serviceName of a StatefulSet",
      statefulSets,
      workload,
      { serviceName: "x" },
      "spec.serviceName",
    ],
    [
      "the size of an unbound claim",
      claims,
      {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
      { resources: { requests: { storage: "2Gi" } } },
      "spec",
    ],
    [
      "the pod template of a Job",
      jobs,
      { template: { spec: { restartPolicy: "Never", containers: [container] } } },
      {
        template: { spec: { containers: [{ name: "c", image: "other" }] } },
      },
      "spec.template",
    ],
    [
      "the number of containers in a pod",
      pods,
      { containers: [container] },
      {
        containers: [container, { name: "d", image: "i" }],
      },
      "spec.containers",
    ],
    [
      "a longer activeDeadlineSeconds of a pod",
      pods,
      { containers: [container], activeDeadlineSeconds: 5 },
      {
        activeDeadlineSeconds: 9,
      },
      "spec.activeDeadlineSeconds",
    ],
  ])(
    "rejects a change of an immutable field and names it: %s",
    async (_, path, spec, change, field) => {
      await using api = await startApiServer();
      const made = await call(api, "POST", path, { metadata: { name: "a" }, spec });
      expect(made.status).toBe(201);
      const refused = await call(api, "PATCH", `${path}/a`, { spec: change }, mergePatch);
      expect(refused.status).toBe(422);
      expect(refused.body.details.causes.map((one: { field: string }) => one.field)).toEqual([
        field,
      ]);
    },
  );

  test("a scheduling gate can be removed, and while it exists the node selector can be changed", async () => {
    await using api = await startApiServer();
    const spec = { containers: [container], schedulingGates: [{ name: "a/b" }] };
    await call(api, "POST", pods, { metadata: { name: "a" }, spec });
    const change = async (changes: object) =>
      (await call(api, "PATCH", `${pods}/a`, { spec: changes }, mergePatch)).status;
    expect(await change({ nodeSelector: { zone: "a" } })).toBe(200);
    expect(await change({ schedulingGates: null })).toBe(200);
    expect(await change({ nodeSelector: { zone: "b" } })).toBe(422);
    expect(await change({ schedulingGates: [{ name: "a/b" }] })).toBe(422);
  });
});

test.each([
  ["* * * * *", undefined],
  ["*/5 0-3 1,15 jan-mar mon", undefined],
  ["@hourly", undefined],
  ["@every 1h30m", undefined],
  ["* * * *", "expected exactly 5 fields, found 4: [* * * *]"],
  ["61 * * * *", "end of range (61) above maximum (59): 61"],
  ["*/0 * * * *", "step of range should be a positive number: */0"],
  ["5-1 * * * *", "beginning of range (5) beyond end of range (1): 5-1"],
  ["TZ=UTC * * * * *", "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"],
  ["@foo", "unrecognized descriptor: @foo"],
])("distinguishes the schedule %s from an invalid one", (schedule, wrong) => {
  expect(readSchedule(schedule).problem).toBe(wrong);
});
