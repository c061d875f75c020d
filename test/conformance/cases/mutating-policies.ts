import assert from "node:assert/strict";
import { MutatingAdmissionPolicy } from "@typekube/api/admissionregistration/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";
import { apply, bindMutating, matching, patch, refusal } from "../support/admission-policies.js";
import { rejectionCauses } from "../support/custom-resources.js";
import { configMap, deployment } from "../support/objects.js";

const denied = "policy 'NS-0' with binding 'NS-0' denied request:";

/** Cases for MutatingAdmissionPolicies. */
export const mutatingPolicies: readonly ConformanceCase[] = [
  {
    id: "VA20",
    name: "policies: an apply configuration is merged by the schema of the kind, and owned by nobody",
    needs: ["policies"],
    async run(context) {
      const containers = "Object.spec.template.spec.containers";
      await using _bound = await bindMutating(context, {
        spec: {
          matchConstraints: matching(["deployments"], ["CREATE"], ["apps"]),
          mutations: [
            apply(
              `Object{spec: Object.spec{replicas: object.spec.replicas + 4, template: Object.spec.template{spec: Object.spec.template.spec{containers: [${containers}{name: 'side', image: 'x'}, ${containers}{name: 'main', tty: true}]}}}}`,
            ),
          ],
        },
      });
      const created = await context.client
        .resource(Deployment, context.namespace)
        .create(deployment("web", 1));
      const { replicas, template } = created.spec ?? {};
      assert.equal(replicas, 5);
      assert.deepEqual(
        template?.spec?.containers?.map(({ name, tty }) => [name, tty ?? false]).sort(),
        [
          ["main", true],
          ["side", false],
        ],
      );
      const owned = JSON.stringify(created.metadata?.managedFields);
      assert.equal(owned.includes("side"), false);
      assert.deepEqual(created.status, {});
    },
  },
  {
    id: "VA20-refused",
    name: "policies: an apply configuration cannot set atomic parts, other types or unknown fields",
    needs: ["policies"],
    async run(context) {
      const why = "error applying patch: failed to convert patch object to typed object:";
      const mutations = [
        [
          "Object{spec: Object.spec{selector: Object.spec.selector{matchLabels: {'c': 'd'}}}}",
          "error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector",
        ],
        ["Object{wrong: 1}", `${why} .wrong: field not declared in schema`],
        [
          "Object{spec: Object.other{replicas: 1}}",
          'type mismatch: unexpected type name "Object.other", expected "Object.spec", which matches field name path from root Object type',
        ],
      ] as const;
      for (const [expression, problem] of mutations) {
        await using _bound = await bindMutating(context, {
          spec: {
            matchConstraints: matching(["configmaps", "deployments"], ["CREATE"], ["*"]),
            matchConditions: [
              { name: "deployments", expression: "request.kind.kind == 'Deployment'" },
            ],
            mutations: [apply(expression)],
          },
        });
        const created = context.client
          .resource(Deployment, context.namespace)
          .create(deployment("web", 1));
        assert.equal(await refusal(context, created), `403 Invalid ${denied} ${problem}`);
      }
    },
  },
  {
    id: "VA20-scale",
    name: "policies: an apply configuration cannot change a Scale, a JSON Patch can",
    needs: ["policies"],
    async run(context) {
      const deployments = context.client.resource(Deployment, context.namespace);
      await deployments.create(deployment("web", 1));
      const scale = (replicas: number) =>
        deployments.scale.patch("web", mergePatch({ spec: { replicas } }));
      const matchConstraints = matching(
        ["configmaps", "deployments/scale"],
        ["CREATE", "UPDATE"],
        ["*"],
      );
      const matchConditions = [{ name: "scale", expression: "request.kind.kind == 'Scale'" }];
      {
        const mutations = [apply("Object{spec: Object.spec{replicas: 2}}")];
        await using _bound = await bindMutating(context, {
          spec: { matchConstraints, matchConditions, mutations },
        });
        assert.equal(
          await refusal(context, scale(3)),
          `403 Invalid ${denied} error applying patch: failed to convert patch object to typed object: no corresponding type for autoscaling/v1, Kind=Scale`,
        );
      }
      const mutations = [patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: 2}]")];
      await using _bound = await bindMutating(context, {
        spec: { matchConstraints, matchConditions, mutations },
      });
      assert.equal((await scale(3)).spec?.replicas, 2);
    },
  },
  {
    id: "VA21",
    name: "policies: JSON patches follow RFC 6902; one whose test fails changes nothing",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindMutating(context, {
        spec: {
          mutations: [
            patch(
              "[JSONPatch{op: 'add', path: '/data/x', value: object.data.a + '!'}, JSONPatch{op: 'copy', from: '/data/a', path: '/data/copy'}]",
            ),
            patch(
              "[JSONPatch{op: 'test', path: '/data/a', value: 'other'}, JSONPatch{op: 'remove', path: '/data/a'}]",
            ),
            patch(
              "[JSONPatch{op: 'add', path: '/metadata/labels', value: {jsonpatch.escapeKey('a'): 'b'}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/x'), value: 'y'}]",
            ),
            patch("object.data.a == 'never' ? [JSONPatch{op: 'remove', path: '/data'}] : []"),
          ],
        },
      });
      const { data, metadata } = await context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one", { a: "b" }));
      assert.deepEqual(data, { a: "b", copy: "b", x: "b!" });
      assert.deepEqual(metadata?.labels, { a: "b", "example.com/x": "y" });
    },
  },
  {
    id: "VA21-refused",
    name: "policies: each mutation that fails is a cause of the refusal, unless failures are ignored",
    needs: ["policies"],
    async run(context) {
      const mutations = [
        patch("[JSONPatch{op: 'add', path: '/data/x', value: object.data.nope}]"),
        patch("[JSONPatch{op: 'remove', path: '/data/gone'}]"),
        patch("[JSONPatch{op: 'add', path: '/data/ok', value: 'yes'}]"),
      ];
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      {
        await using _bound = await bindMutating(context, { spec: { mutations } });
        assert.equal(
          await refusal(context, configMaps.create(configMap("one", { a: "b" }))),
          [
            `403 Invalid ${denied} expression '[JSONPatch{op: 'add', path: '/data/x', value: object.data.nope}]' resulted in error: no such key: nope`,
            `${denied} JSON Patch: error in remove for path: '/data/gone': Unable to remove nonexistent key: gone: missing value`,
          ].join("\n"),
        );
      }
      await using _bound = await bindMutating(context, {
        spec: { mutations, failurePolicy: "Ignore" },
      });
      const { data } = await configMaps.create(configMap("one", { a: "b" }));
      assert.deepEqual(data, { a: "b", ok: "yes" });
    },
  },
  {
    id: "VA22",
    name: "policies: a policy that wants it runs once more after a later one has changed the object",
    needs: ["policies"],
    async run(context) {
      // Real servers evaluate policies in no fixed order, so the first two are each other's mirror image.
      const seen = (own: string, other: string) =>
        patch(
          `[JSONPatch{op: 'add', path: '/data/${own}', value: has(object.data.${other}) ? 'after ${other}' : 'first'}]`,
        );
      const runs = patch(
        "[JSONPatch{op: 'add', path: '/data/c', value: has(object.data.c) ? 'twice' : 'once'}]",
      );
      await using _bound = await bindMutating(
        context,
        { spec: { reinvocationPolicy: "IfNeeded", mutations: [seen("a", "b")] } },
        { spec: { reinvocationPolicy: "IfNeeded", mutations: [seen("b", "a")] } },
        { spec: { reinvocationPolicy: "Never", mutations: [runs] } },
      );
      const { data } = await context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one", { own: "1" }));
      assert.deepEqual(data, { a: "after b", b: "after a", c: "once", own: "1" });
    },
  },
  {
    id: "VA23",
    name: "policies: a mutation whose result is not valid is refused by ordinary validation",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindMutating(context, {
        spec: {
          matchConditions: [{ name: "own", expression: "!has(object.metadata.labels)" }],
          mutations: [apply("Object{metadata: Object.metadata{labels: {'bad key': 'x'}}}")],
        },
      });
      const causes = await rejectionCauses(
        context.client.resource(ConfigMap, context.namespace).create(configMap("one")),
      );
      assert.deepEqual(
        causes.map((cause) => cause.split(": ", 2).join(": ")),
        ['metadata.labels | FieldValueInvalid | Invalid value: "bad key"'],
      );
    },
  },
  {
    id: "VA24",
    name: "policies: a mutation uses parameters, and match conditions decide whether it runs",
    needs: ["policies"],
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("settings", { team: "blue" }));
      await using _bound = await bindMutating(context, {
        spec: {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          matchConditions: [{ name: "new", expression: "object.metadata.name != 'free'" }],
          mutations: [patch("[JSONPatch{op: 'add', path: '/data/team', value: params.data.team}]")],
        },
        binding: {
          paramRef: { name: "settings", parameterNotFoundAction: "Deny" },
        },
      });
      const one = await configMaps.create(configMap("one", { a: "b" }));
      assert.deepEqual(one.data, { a: "b", team: "blue" });
      const free = await configMaps.create(configMap("free", { a: "b" }));
      assert.deepEqual(free.data, { a: "b" });
    },
  },
  {
    id: "VA20-written",
    name: "policies: mutations of the wrong type, and for deletions, cannot be written",
    async run({ client, namespace }) {
      const causes = await rejectionCauses(
        client.resource(MutatingAdmissionPolicy).create({
          metadata: { name: namespace },
          spec: {
            matchConstraints: matching(["configmaps"], ["DELETE"]),
            reinvocationPolicy: "Never",
            mutations: [apply("1"), patch("[1]"), { patchType: "JSONPatch" }],
          },
        }),
      );
      assert.deepEqual(causes, [
        'spec.matchConstraints.resourceRules.operations | FieldValueNotSupported | Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
        'spec.mutations[0].applyConfiguration.expression | FieldValueInvalid | Invalid value: "1": must evaluate to Object but got int',
        'spec.mutations[1].jsonPatch.expression | FieldValueInvalid | Invalid value: "[1]": must evaluate to list(JSONPatch) but got list(int)',
        "spec.mutations[2].jsonPatch | FieldValueRequired | Required value: must be specified when patchType is JSONPatch",
      ]);
    },
  },
];
