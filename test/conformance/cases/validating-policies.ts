import assert from "node:assert/strict";
import { ValidatingAdmissionPolicy } from "@typekube/api/admissionregistration/v1";
import { Deployment } from "@typekube/api/apps/v1";
import { ConfigMap, ServiceAccount } from "@typekube/api/core/v1";
import { mergePatch } from "typekube";
import type { ConformanceCase } from "../conformance-case.js";
import { bindValidating, matching, refusal } from "../support/admission-policies.js";
import { rejectionCauses } from "../support/custom-resources.js";
import { configMap, deployment } from "../support/objects.js";
import { until } from "../support/until.js";

const denied = "is forbidden: ValidatingAdmissionPolicy 'NS-0' with binding 'NS-0' denied request:";

/** Cases for ValidatingAdmissionPolicies. */
export const validatingPolicies: readonly ConformanceCase[] = [
  {
    id: "VA6",
    name: "policies: the first false validation refuses a write, with its message, reason and code",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindValidating(context, {
        spec: {
          validations: [
            { expression: "object.data.a != 'b'", message: " a must not be b " },
            { expression: "object.data.a != 'c'", messageExpression: "'a is ' + object.data.a" },
            { expression: "object.data.a != 'd'", reason: "Forbidden" },
            { expression: "object.data.a != 'e'", messageExpression: "'two\\nlines'" },
          ],
        },
      });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const write = (a: string) =>
        refusal(context, configMaps.create(configMap("one", { a }), { dryRun: "All" }));
      assert.deepEqual(await Promise.all(["b", "c", "d", "e"].map(write)), [
        `422 Invalid configmaps "one" ${denied} a must not be b`,
        `422 Invalid configmaps "one" ${denied} a is c`,
        `403 Forbidden configmaps "one" ${denied} failed expression: object.data.a != 'd'`,
        `422 Invalid configmaps "one" ${denied} failed expression: object.data.a != 'e'`,
      ]);
      await configMaps.create(configMap("one", { a: "x" }));
      assert.equal(
        await refusal(context, configMaps.patch("one", mergePatch({ data: { a: "b" } }))),
        `422 Invalid configmaps "one" ${denied} a must not be b`,
      );
    },
  },
  {
    id: "VA4",
    name: "policies: an error of an expression refuses a write, unless failures are ignored",
    needs: ["policies"],
    async run(context) {
      const validations = [{ expression: "object.data.missing == 'x'" }];
      {
        await using _bound = await bindValidating(context, { spec: { validations } });
        const created = context.client
          .resource(ConfigMap, context.namespace)
          .create(configMap("one", { a: "b" }));
        assert.equal(
          await refusal(context, created),
          `422 Invalid configmaps "one" ${denied} expression 'object.data.missing == 'x'' resulted in error: no such key: missing`,
        );
      }
      await using _bound = await bindValidating(context, {
        spec: { validations, failurePolicy: "Ignore" },
      });
      await context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one", { a: "b" }));
    },
  },
  {
    id: "VA1",
    name: "policies: expressions see the object, the old one, the request, the namespace and rights",
    needs: ["policies"],
    async run(context) {
      const { client, namespace } = context;
      const who = "authorizer.requestResource.check('delete').allowed()";
      const pods = "authorizer.group('').resource('pods').namespace('default').check('get')";
      await using _bound = await bindValidating(context, {
        spec: {
          matchConstraints: matching(["configmaps"], ["CREATE", "UPDATE", "DELETE"]),
          validations: [
            { expression: "request.operation != 'CREATE' || oldObject == null" },
            {
              expression:
                "request.operation != 'UPDATE' || oldObject.data.a != object.data.a || !request.dryRun",
            },
            {
              expression: "request.operation != 'DELETE' || (object == null && oldObject != null)",
            },
            { expression: "namespaceObject.metadata.name == request.namespace" },
            { expression: "request.userInfo.groups.size() > 0 && !has(request.subResource)" },
            { expression: "request.kind.kind == 'ConfigMap' && request.resource.version == 'v1'" },
            { expression: `${who} && ${pods}.allowed()` },
            { expression: "request.operation == 'DELETE' || object.kind == 'ConfigMap'" },
          ],
        },
      });
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("one", { a: "b" }));
      await configMaps.patch("one", mergePatch({ data: { a: "c" } }));
      await configMaps.delete("one");
    },
  },
  {
    id: "VA3",
    name: "policies: variables are computed when they are used, and may use earlier ones",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindValidating(context, {
        spec: {
          variables: [
            { name: "text", expression: "object.data.n" },
            { name: "number", expression: "int(variables.text)" },
            { name: "broken", expression: "object.data.nope" },
          ],
          validations: [
            {
              expression: "variables.number < 5 || variables.broken == 'x'",
              messageExpression: "'n is ' + string(variables.number)",
            },
          ],
        },
      });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("small", { n: "3" }), { dryRun: "All" });
      const write = (n: string) =>
        refusal(context, configMaps.create(configMap("one", { n }), { dryRun: "All" }));
      const source = "variables.number < 5 || variables.broken == 'x'";
      assert.deepEqual(await Promise.all(["7", "x"].map(write)), [
        `422 Invalid configmaps "one" ${denied} expression '${source}' resulted in error: composited variable "broken" fails to evaluate: no such key: nope`,
        `422 Invalid configmaps "one" ${denied} expression '${source}' resulted in error: composited variable "number" fails to evaluate: type conversion error from 'string' to 'int'`,
      ]);
    },
  },
  {
    id: "VA8",
    name: "policies: a match condition that is false decides, even beside one that fails",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindValidating(context, {
        spec: {
          matchConditions: [
            { name: "hit", expression: "object.metadata.name.startsWith('hit')" },
            { name: "fails", expression: "object.data.nope == '1'" },
          ],
          validations: [{ expression: "false" }],
        },
      });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      await configMaps.create(configMap("other", { a: "b" }));
      assert.equal(
        await refusal(context, configMaps.create(configMap("hit", { a: "b" }))),
        `422 Invalid configmaps "hit" ${denied} expression 'object.data.nope == '1'' resulted in error: no such key: nope`,
      );
    },
  },
  {
    id: "VA9",
    name: "policies: selectors, exclusions and names decide which requests a policy sees",
    needs: ["policies"],
    async run(context) {
      const [rule] = matching(["configmaps"], ["CREATE"]).resourceRules;
      assert.ok(rule);
      await using _bound = await bindValidating(context, {
        spec: {
          matchConstraints: {
            resourceRules: [rule],
            excludeResourceRules: [{ ...rule, resourceNames: ["free"] }],
            objectSelector: { matchExpressions: [{ key: "check", operator: "Exists" }] },
          },
          validations: [{ expression: "false", message: "no" }],
        },
      });
      const configMaps = context.client.resource(ConfigMap, context.namespace);
      const labels = { check: "yes" };
      await configMaps.create(configMap("unlabelled"));
      await configMaps.create(configMap("free", {}, labels));
      assert.equal(
        await refusal(context, configMaps.create(configMap("one", {}, labels))),
        `422 Invalid configmaps "one" ${denied} no`,
      );
      await configMaps.patch("free", mergePatch({ data: { a: "b" } }));
    },
  },
  {
    id: "VA9-scale",
    name: "policies: a policy for a subresource sees its kind, and no other writes",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindValidating(context, {
        spec: {
          matchConstraints: matching(["deployments/scale"], ["UPDATE"], ["apps"]),
          validations: [
            {
              expression:
                "object.spec.replicas < 3 && request.kind.kind == 'Scale' && request.subResource == 'scale'",
              message: "too many",
            },
          ],
        },
      });
      const deployments = context.client.resource(Deployment, context.namespace);
      await deployments.create(deployment("web", 9));
      await deployments.scale.patch("web", mergePatch({ spec: { replicas: 2 } }));
      assert.equal(
        await refusal(
          context,
          deployments.scale.patch("web", mergePatch({ spec: { replicas: 4 } })),
        ),
        `422 Invalid deployments.apps "web" ${denied} too many`,
      );
    },
  },
  {
    id: "VA10",
    name: "policies: a policy is evaluated for each parameter that the binding selects",
    needs: ["policies"],
    async run(context) {
      const { client, namespace } = context;
      const configMaps = client.resource(ConfigMap, namespace);
      // No other case has parameters of this kind: kube-apiserver ends its watch of a kind with the last policy that uses it,
      // and never begins it again.
      const accounts = client.resource(ServiceAccount, namespace);
      for (const [name, max] of [
        ["limit-1", "2"],
        ["limit-2", "1"],
      ] as const) {
        const metadata = { name, labels: { limits: "yes" }, annotations: { max } };
        await accounts.create({ metadata });
      }
      const paramRef = {
        selector: { matchLabels: { limits: "yes" } },
        parameterNotFoundAction: "Deny" as const,
      };
      await using _bound = await bindValidating(context, {
        spec: {
          paramKind: { apiVersion: "v1", kind: "ServiceAccount" },
          validations: [
            {
              expression: "object.data.size() <= int(params.metadata.annotations.max)",
              messageExpression:
                "'at most ' + params.metadata.annotations.max + ' by ' + params.metadata.name",
            },
          ],
        },
        binding: { validationActions: ["Deny"], paramRef },
      });
      // A real server finds parameters of a kind only after a moment.
      await until(context, () =>
        configMaps.create(configMap("one", { a: "1" })).then(
          () => true,
          () => false,
        ),
      );
      assert.equal(
        await refusal(context, configMaps.create(configMap("two", { a: "1", b: "2" }))),
        `422 Invalid configmaps "two" ${denied} at most 1 by limit-2`,
      );
    },
  },
  ...(["Deny", "Allow"] as const).map(
    (action): ConformanceCase => ({
      id: `VA10-missing-${action}`,
      name: `policies: a binding without parameters follows parameterNotFoundAction: ${action}`,
      needs: ["policies"],
      async run(context) {
        await using _bound = await bindValidating(context, {
          spec: {
            paramKind: { apiVersion: "v1", kind: "ConfigMap" },
            validations: [{ expression: "false" }],
          },
          binding: {
            validationActions: ["Deny"],
            paramRef: { name: "nowhere", parameterNotFoundAction: action },
          },
        });
        const created = context.client
          .resource(ConfigMap, context.namespace)
          .create(configMap("three"), { dryRun: "All" });
        if (action === "Allow") {
          await created;
        } else {
          assert.equal(
            await refusal(context, created),
            `422 Invalid configmaps "three" ${denied} failed to configure binding: no params found for policy binding with \`Deny\` parameterNotFoundAction`,
          );
        }
      },
    }),
  ),
  {
    id: "VA10-unknown",
    name: "policies: parameters of an unknown kind refuse a write",
    needs: ["policies"],
    async run(context) {
      await using _bound = await bindValidating(context, {
        spec: {
          paramKind: { apiVersion: "example.com/v1", kind: "Nowhere" },
          validations: [{ expression: "true" }],
        },
      });
      const created = context.client
        .resource(ConfigMap, context.namespace)
        .create(configMap("one"));
      assert.equal(
        await refusal(context, created),
        `422 Invalid configmaps "one" is forbidden: ValidatingAdmissionPolicy 'NS-0' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Nowhere'`,
      );
    },
  },
  {
    id: "VA5-refused",
    name: "policies: a binding cannot deny and warn at once, nor do nothing",
    async run({ client, namespace }) {
      const { ValidatingAdmissionPolicyBinding } = await import(
        "@typekube/api/admissionregistration/v1"
      );
      const bindings = client.resource(ValidatingAdmissionPolicyBinding);
      const causesOf = (validationActions: ("Audit" | "Deny" | "Warn")[]) =>
        rejectionCauses(
          bindings.create({
            metadata: { name: namespace },
            spec: { policyName: "any", validationActions },
          }),
        );
      assert.deepEqual(await causesOf(["Deny", "Warn"]), [
        'spec.validationActions | FieldValueInvalid | Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ]);
      assert.deepEqual(await causesOf([]), [
        "spec.validationActions | FieldValueRequired | Required value",
      ]);
    },
  },
  {
    id: "VT7-policies",
    name: "policies: expressions that do not compile or have the wrong type are refused",
    async run({ client, namespace }) {
      const policies = client.resource(ValidatingAdmissionPolicy);
      const causes = await rejectionCauses(
        policies.create({
          metadata: { name: namespace },
          spec: {
            matchConstraints: matching(),
            matchConditions: [{ name: "a", expression: "variables.a" }],
            variables: [{ name: "if", expression: "nowhere" }],
            validations: [
              { expression: "1" },
              { expression: "true", messageExpression: "1" },
              { expression: "params.a == 1" },
              { expression: "int('x') == 1" },
            ],
            auditAnnotations: [{ key: "k", valueExpression: "object.a" }],
          },
        }),
      );
      assert.deepEqual(causes, [
        'spec.auditAnnotations[0].valueExpression | FieldValueInvalid | Invalid value: "object.a": must evaluate to one of [string null_type] but got dyn',
        "spec.matchConditions[0].expression | FieldValueInvalid | Invalid value: \"variables.a\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.a\n | ^",
        'spec.validations[0].expression | FieldValueInvalid | Invalid value: "1": must evaluate to bool but got int',
        'spec.validations[1].messageExpression | FieldValueInvalid | Invalid value: "1": must evaluate to string but got int',
        "spec.validations[2].expression | FieldValueInvalid | Invalid value: \"params.a == 1\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.a == 1\n | ^",
        "spec.validations[3].expression | InternalError | Internal error: program instantiation failed: type conversion error from 'string' to 'int'",
        "spec.variables[0].expression | FieldValueInvalid | Invalid value: \"nowhere\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'nowhere' (in container '')\n | nowhere\n | ^",
        'spec.variables[0].name | FieldValueInvalid | Invalid value: "if": must be a valid CEL identifier',
      ]);
    },
  },
];
