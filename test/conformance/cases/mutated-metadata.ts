import assert from "node:assert/strict";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "@typekube/client";
import { isServiceUnavailable } from "@typekube/core";
import type { ConformanceCase } from "../conformance-case.js";
import { bindMutating, matching, patch, refusal } from "../support/admission-policies.js";
import {
  customDefinition,
  customGroup,
  customResource,
  free,
  version,
} from "../support/custom-resources.js";
import { configMap, deployment } from "../support/objects.js";
import { until } from "../support/until.js";

/** Applies the operation that the data of a ConfigMap describe. */
const asDataDescribe = patch(
  "has(object.data.path) ? [JSONPatch{op: object.data.op, path: object.data.path, value: object.data.value}] : []",
);

const operation = (path: string, value: string | undefined) => ({
  op: value === undefined ? "remove" : "add",
  path: `/metadata/${path}`,
  value: value ?? "",
});

const immutable = "field is immutable";
const otherNamespace =
  "400 BadRequest the namespace of the provided object does not match the namespace sent on the request";

/** Cases for mutations of the metadata that identify an object. */
export const mutatedMetadata: readonly ConformanceCase[] = [
  {
    id: "VA23-update",
    name: "policies: a mutation cannot change the identity of an existing object",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindMutating(context, { spec: { mutations: [asDataDescribe] } });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("one", { a: "b" }));
      const change = (path: string, value?: string) =>
        configMaps.patch("one", mergePatch({ data: operation(path, value) }));
      const time = "2020-01-01T00:00:00Z";
      const refusals = [
        [
          "name",
          "other",
          `422 Invalid ConfigMap "other" is invalid: metadata.name: Invalid value: "other": ${immutable}`,
        ],
        [
          "name",
          undefined,
          `422 Invalid ConfigMap "" is invalid: [metadata.name: Required value: name or generateName is required, metadata.name: Invalid value: "": ${immutable}]`,
        ],
        ["namespace", "other", otherNamespace],
        [
          "uid",
          "u",
          `422 Invalid ConfigMap "one" is invalid: metadata.uid: Invalid value: "u": ${immutable}`,
        ],
        [
          "deletionTimestamp",
          time,
          `422 Invalid ConfigMap "one" is invalid: metadata.deletionTimestamp: Invalid value: "${time}": ${immutable}`,
        ],
        [
          "resourceVersion",
          "5",
          '409 Conflict Operation cannot be fulfilled on configmaps "one": the object has been modified; please apply your changes to the latest version and try again',
        ],
      ] as const;
      for (const [path, value, expected] of refusals) {
        assert.equal((await refusal(context, change(path, value))).split("\n")[0], expected);
      }
      for (const path of ["namespace", "uid", "resourceVersion"]) {
        const { metadata } = await change(path);
        assert.equal(metadata.namespace, context.namespace);
        assert.ok(metadata.uid && metadata.resourceVersion);
      }
    },
  },
  {
    id: "VA23-create",
    name: "policies: a mutation can name a new object, but not move it to another namespace",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindMutating(context, { spec: { mutations: [asDataDescribe] } });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const create = (path: string, value?: string) =>
        configMaps.create(configMap("one", operation(path, value)));
      const generate = (path: string, value: string) =>
        configMaps.create({ metadata: { generateName: "g-" }, data: operation(path, value) });
      assert.equal(await refusal(context, create("namespace", "other")), otherNamespace);
      assert.equal(
        (await refusal(context, create("name"))).split("\n")[0],
        '422 Invalid ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
      );
      assert.match(
        await refusal(context, create("resourceVersion", "5")),
        /^500 .*resourceVersion should not be set on objects to be created$/,
      );
      assert.equal((await create("name", "two")).metadata.name, "two");
      assert.equal((await create("selfLink", "x")).metadata.selfLink, undefined);
      assert.match((await generate("generateName", "team-")).metadata.name, /^team-.{5}$/);
      assert.equal((await generate("name", "three")).metadata.name, "three");
    },
  },
  {
    id: "VA23-kind",
    name: "policies: a mutation cannot make an object one of another version",
    needs: ["policies"],
    async run(context) {
      const spec = {
        mutations: [patch("[JSONPatch{op: 'add', path: '/apiVersion', value: 'v2'}]")],
      };
      await using _bound = await bindMutating(context, {
        spec: { ...spec, matchConditions: [{ name: "own", expression: "'own' in object.data" }] },
      });
      const created = context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one", { own: "1" }));
      assert.match(await refusal(context, created), /^500 InternalError Internal error occurred: /);
    },
  },
  {
    id: "VA23-custom",
    name: "policies: unknown fields that a mutation adds to a custom resource are pruned",
    needs: ["crd", "policies"],
    async run(context) {
      const schema = { type: "object", properties: { spec: free } };
      const definition = customDefinition("Mutated", [version(schema)]);
      const owned = await customResource(context, definition);
      await using _bound = await bindMutating(context, {
        spec: {
          matchConstraints: matching(["configmaps", "mutateds"], ["CREATE", "UPDATE"], ["*"]),
          matchConditions: [{ name: "mutated", expression: "object.kind == 'Mutated'" }],
          mutations: [
            patch(
              "[JSONPatch{op: 'add', path: '/unknown', value: 1}, JSONPatch{op: 'add', path: '/spec/known', value: 1}]",
            ),
            patch(
              "object.spec.change == 'kind' ? [JSONPatch{op: 'add', path: '/kind', value: 'Gadget'}] : object.spec.change == 'version' ? [JSONPatch{op: 'remove', path: '/metadata/resourceVersion'}] : []",
            ),
          ],
        },
      });
      // A real server matches policies to a new kind only after a moment, and answers 503 before.
      await until(context, () =>
        owned.create({ metadata: { name: "one" }, spec: { change: "" } }).then(
          () => true,
          (error) => {
            if (isServiceUnavailable(error)) return false;
            throw error;
          },
        ),
      );
      const created = await owned.get("one");
      assert.deepEqual(created["spec"], { known: 1, change: "" });
      assert.equal("unknown" in created, false);
      const change = async (by: string) => {
        const patched = owned.patch("one", mergePatch({ spec: { change: by } }));
        return (await refusal(context, patched)).split("\n")[0];
      };
      assert.equal(
        await change("kind"),
        `422 Invalid Gadget.${customGroup} "one" is invalid: kind: Invalid value: "Gadget": must be Mutated`,
      );
      assert.equal(
        await change("version"),
        `422 Invalid mutateds.${customGroup} "one" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update`,
      );
    },
  },
  {
    id: "VA21-null",
    name: "policies: an operation without a value sets null",
    needs: ["policies"],
    async run(context) {
      const set = patch("'own' in object.data ? [JSONPatch{op: 'add', path: '/data/new'}] : []");
      await using _bound = await bindMutating(context, { spec: { mutations: [set] } });
      const { data } = await context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one", { own: "1" }));
      assert.deepEqual(data, { new: "", own: "1" });
    },
  },
  {
    id: "VA23-scale",
    name: "policies: a mutated Scale is validated like one that a client sends",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindMutating(context, {
        spec: {
          matchConstraints: matching(
            ["configmaps", "deployments/scale"],
            ["CREATE", "UPDATE"],
            ["*"],
          ),
          matchConditions: [{ name: "scales", expression: "object.kind == 'Scale'" }],
          mutations: [
            patch(
              "[JSONPatch{op: 'add', path: '/spec/replicas', value: object.spec.replicas == 2 ? dyn(-1) : dyn('many')}]",
            ),
          ],
        },
      });
      const deployments = context.client.resource(Deployment, context.namespace);
      await deployments.create(deployment("web", 1));
      for (const [replicas, expected] of [
        [2, /^422 Invalid .*spec\.replicas: Invalid value: -1: must be greater than or equal to 0/],
        [
          3,
          /^500 InternalError .*cannot unmarshal string into Go struct field ScaleSpec\.spec\.replicas/,
        ],
      ] as const) {
        const scaled = deployments.scale.patch("web", mergePatch({ spec: { replicas } }));
        assert.match(await refusal(context, scaled), expected);
      }
      assert.equal((await deployments.get("web")).spec?.replicas, 1);
    },
  },
];
