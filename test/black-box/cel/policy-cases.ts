import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "../../../packages/api/src/generated/kinds/admissionregistration/v1.js";
import type { Random } from "../go-regexp/random-patterns.js";
import type { PolicyCase } from "./policy-answer.js";

const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name: "web",
    namespace: "shop",
    labels: { app: "web", tier: "front" },
    creationTimestamp: "2026-01-02T03:04:05Z",
  },
  spec: {
    replicas: 3,
    paused: false,
    template: { spec: { containers: [{ name: "a", image: "nginx:1", args: ["-x"] }] } },
  },
};

const older = { ...deployment, spec: { ...deployment.spec, replicas: 2 } };

const request = {
  kind: { group: "apps", version: "v1", kind: "Deployment" },
  resource: { group: "apps", version: "v1", resource: "deployments" },
  name: "web",
  namespace: "shop",
  operation: "UPDATE",
  userInfo: { username: "jane", uid: "7", groups: ["dev"], extra: { team: ["a", "b"] } },
} as const;

const namespaceObject = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: { name: "shop", labels: { env: "test" }, uid: "u1" },
  spec: { finalizers: ["kubernetes"] },
  status: { phase: "Active" },
};

const params = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "limits", namespace: "shop" },
  data: { max: "5" },
};

const paramKind = { apiVersion: "v1", kind: "ConfigMap" };

/** Returns a case with a ValidatingAdmissionPolicy. */
export function validatingCase(
  spec: ValidatingAdmissionPolicySpec,
  other: Partial<PolicyCase> = {},
): PolicyCase {
  return {
    validating: { metadata: { name: "p" }, spec },
    object: deployment,
    oldObject: older,
    request,
    namespaceObject,
    ...(spec.paramKind === undefined ? {} : { params }),
    authorizer: { decision: "Allow", reason: "because" },
    ...other,
  };
}

/** Returns a case with a MutatingAdmissionPolicy. */
export function mutatingCase(
  spec: MutatingAdmissionPolicySpec,
  other: Partial<PolicyCase> = {},
): PolicyCase {
  return {
    mutating: { metadata: { name: "p" }, spec },
    object: deployment,
    oldObject: older,
    request,
    namespaceObject,
    ...(spec.paramKind === undefined ? {} : { params }),
    authorizer: { decision: "Allow" },
    ...other,
  };
}

const apply = (expression: string) =>
  ({ patchType: "ApplyConfiguration", applyConfiguration: { expression } }) as const;
const patch = (expression: string) =>
  ({ patchType: "JSONPatch", jsonPatch: { expression } }) as const;

/** Expressions of the type bool, right and wrong ones. */
const conditions: readonly string[] = [
  "object.spec.replicas <= 5",
  "object.spec.replicas > oldObject.spec.replicas",
  "oldObject == null",
  "object.metadata.labels.app == 'web'",
  "object.metadata.labels.missing == 'web'",
  "has(object.metadata.annotations)",
  "request.operation == 'UPDATE'",
  "request.namex == 'x'",
  "object.namex == 'x'",
  "request.userInfo.extra['team'] == ['a', 'b']",
  "request.userInfo.extra.team.size() == 2",
  "request.userInfo.groups.exists(g, g == 'dev')",
  "request.subResource == ''",
  "has(request.subResource)",
  "request.dryRun",
  "request.options == null",
  "request.kind.kind == 'Deployment' && request.resource.resource == 'deployments'",
  "request.requestKind == request.kind",
  "namespaceObject.metadata.labels.env == 'test'",
  "namespaceObject.metadata.name == request.namespace",
  "namespaceObject.metadata.uid == 'u1'",
  "namespaceObject.metadata.UID == 'u1'",
  "namespaceObject.status.phase == 'Active'",
  "namespaceObject.spec.finalizers == ['kubernetes']",
  "has(namespaceObject.metadata.annotations)",
  "authorizer.group('apps').resource('deployments').namespace('shop').check('delete').allowed()",
  "authorizer.requestResource.check('delete').allowed()",
  "authorizer.path('/healthz').check('get').reason() == 'because'",
  "authorizer.serviceAccount('shop', 'sa').group('').resource('pods').check('get').allowed()",
  "params.data.max == '5'",
  "int(params.data.max) >= object.spec.replicas",
  "params == null",
  "object.spec.template.spec.containers.all(c, c.image.startsWith('nginx'))",
  "object.spec.template.spec.containers.map(c, c.name) == ['a']",
  "timestamp(object.metadata.creationTimestamp) < timestamp('2026-02-01T00:00:00Z')",
  "type(object.metadata.creationTimestamp) == string",
  "object.spec.paused",
  "object.spec.paused == false",
  "object.spec.replicas",
  "'text'",
  "object.spec.replicas > 'a'",
  "variables.replicas < 5",
  "variables.broken == 1",
  "variables.unknown == 1",
  "variables.sum.size() == 2",
  "has(variables.replicas)",
  "variables.failing == 1 || true",
  "variables.failing == 1",
  "variables.chain == 4",
  "1 / 0 == 1",
  "[1, 2, 3].all(i, [1, 2, 3].all(j, i + j > 1))",
  "Object{} == Object{}",
  "jsonpatch.escapeKey('a/b') == 'a~1b'",
  "object.?spec.?missing.orValue(7) == 7",
  "object.spec.?replicas.hasValue()",
  "true",
  "false",
];

const variables = [
  { name: "replicas", expression: "object.spec.replicas" },
  { name: "broken", expression: "object.spec.replicas +" },
  { name: "sum", expression: "[1, variables.replicas]" },
  { name: "failing", expression: "object.spec.missing.x" },
  { name: "one", expression: "1" },
  { name: "chain", expression: "variables.replicas + variables.one" },
  { name: "who", expression: "request.userInfo.username" },
];

const messages: readonly string[] = [
  "'replicas are ' + string(object.spec.replicas)",
  "'  blanks  '",
  "'two\\nlines'",
  "'   '",
  "object.spec.missing",
  "string(object.spec.missing)",
  "params.data.max",
  "string(variables.replicas)",
  "authorizer.path('/x').check('get').reason()",
  "1",
  "'x'.replace('x', 'yy')",
];

const annotations: readonly string[] = [
  "'value'",
  "object.metadata.name",
  "string(object.metadata.name)",
  "object.spec.replicas > 100 ? 'many' : null",
  "null",
  "'  '",
  "string(object.spec.missing)",
  "authorizer.requestResource.check('get').reason()",
  "1",
  "variables.who + '!'",
];

const mutations: readonly ReturnType<typeof patch | typeof apply>[] = [
  apply("Object{spec: Object.spec{replicas: object.spec.replicas + 100}}"),
  apply("Object{metadata: Object.metadata{labels: {'a': 'b', 'app': 'changed'}}}"),
  apply("Object{metadata: Object.metadata{labels: Object.metadata.labels{a: 'b'}}}"),
  apply("Object{spec: Object.wrong{replicas: 1}}"),
  apply("Object{spec: Object.spec{a: Object.spec.b{c: 1}, d: Object.spec.d{}}}"),
  apply("Object{spec: Object.spec{replicas: variables.replicas * 2}}"),
  apply("Object{spec: Object.spec{half: 1.5, big: 9007199254740993, none: null, yes: true}}"),
  apply("Object{spec: Object.spec{when: duration('90s')}}"),
  apply("Object{spec: object.spec}"),
  apply("Object.spec{replicas: 1}"),
  apply("{'spec': {'replicas': 1}}"),
  apply("Object{spec: Object.spec{replicas: object.spec.missing}}"),
  apply("object.spec.replicas > 1 ? Object{spec: Object.spec{replicas: 1}} : Object{}"),
  apply("Object{?spec: object.?missing}"),
  apply("Invalid{}"),
  patch("[JSONPatch{op: 'replace', path: '/spec/replicas', value: object.spec.replicas + 10}]"),
  patch(
    "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b~c'), value: 'x'}]",
  ),
  patch("[JSONPatch{op: 'remove', path: '/metadata/labels/tier'}]"),
  patch("[JSONPatch{op: 'move', from: '/metadata/labels/tier', path: '/metadata/labels/t2'}]"),
  patch("[JSONPatch{op: 'copy', from: '/spec/replicas', path: '/spec/old'}]"),
  patch(
    "[JSONPatch{op: 'test', path: '/spec/replicas', value: 4}, JSONPatch{op: 'remove', path: '/spec/paused'}]",
  ),
  patch(
    "[JSONPatch{op: 'add', path: '/spec/template/spec/containers/-', value: Object.spec.template.spec.containers{name: 'b', ports: [1, 2]}}]",
  ),
  patch(
    "[JSONPatch{op: 'add', path: '/spec/extra', value: {'a': [dyn(1), 2u, 1.5, b'abc', null, duration('1s'), timestamp('2026-01-01T00:00:00Z')], 'big': dyn(9007199254740993)}}]",
  ),
  patch("[JSONPatch{op: 'add', path: '/spec/o', value: Object{a: Object.wrong{b: 1}}}]"),
  patch(
    "object.spec.replicas > 1 ? [JSONPatch{op: 'add', path: '/spec/x', value: variables.sum}] : []",
  ),
  patch("[]"),
  patch("[JSONPatch{op: 'add', path: '/a', value: JSONPatch{op: 'x'}}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/t', value: type(1)}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/m', value: {1: 'a', true: 'b'}}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/n', value: object.spec.missing}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/same', value: Object{a: 1} == Object{a: 1}}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/field', value: Object{field: 'v'}.field}]"),
  patch("[JSONPatch{op: 'add', path: '/spec/has', value: [has(Object{f: 1}.f), has(Object{}.f)]}]"),
];

/** One case for each expression alone. */
export function plainPolicyCases(): readonly PolicyCase[] {
  return [
    ...conditions.flatMap((expression) => [
      validatingCase({ variables, validations: [{ expression }] }),
      validatingCase({
        paramKind,
        variables,
        validations: [{ expression, message: " own text " }],
      }),
      validatingCase({ failurePolicy: "Ignore", variables, validations: [{ expression }] }),
      validatingCase({
        variables,
        matchConditions: [{ name: "c", expression }],
        validations: [{ expression: "false", reason: "Forbidden" }],
      }),
    ]),
    validatingCase({ validations: [{ expression: "object..spec" }] }),
    ...messages.map((messageExpression) =>
      validatingCase({
        paramKind,
        variables,
        validations: [{ expression: "false", messageExpression, message: "text" }],
      }),
    ),
    ...annotations.flatMap((valueExpression) =>
      ["Fail", "Ignore"].map((failurePolicy) =>
        validatingCase({
          failurePolicy: failurePolicy as "Fail" | "Ignore",
          variables,
          auditAnnotations: [{ key: "k", valueExpression }],
        }),
      ),
    ),
    ...mutations.map((mutation) => mutatingCase({ variables, mutations: [mutation] })),
    validatingCase({ validations: [{ expression: "object == null" }] }, { object: undefined }),
    validatingCase(
      { validations: [{ expression: "oldObject == null" }] },
      { oldObject: undefined },
    ),
    validatingCase(
      { validations: [{ expression: "namespaceObject == null" }] },
      { namespaceObject: undefined },
    ),
    validatingCase(
      { validations: [{ expression: "!authorizer.requestResource.check('x').allowed()" }] },
      { authorizer: { decision: "Deny" } },
    ),
    validatingCase(
      { paramKind, validations: [{ expression: "params == null" }] },
      { params: undefined },
    ),
    ...costly(),
  ];
}

/** Policies that use up one of the limits of costs. */
function costly(): readonly PolicyCase[] {
  const ten = "[0,1,2,3,4,5,6,7,8,9]";
  const loops = (depth: number, inner: string): string =>
    depth === 0 ? inner : `variables.ten.all(x${depth}, ${loops(depth - 1, inner)})`;
  const own = [{ name: "ten", expression: ten }];
  const many = (count: number, expression: string) =>
    Array.from({ length: count }, () => ({ expression }));
  return [
    validatingCase({ variables: own, validations: many(1, loops(6, "true")) }),
    validatingCase({ variables: own, validations: many(30, loops(5, "true")) }),
    validatingCase({
      variables: own,
      failurePolicy: "Ignore",
      validations: many(30, loops(5, "true")),
    }),
    validatingCase({
      variables: own,
      matchConditions: many(10, loops(5, "true")).map((one, at) => ({ ...one, name: `c${at}` })),
      validations: [{ expression: "false" }],
    }),
    validatingCase({
      variables: [...own, { name: "big", expression: loops(5, "true") }],
      validations: many(30, "variables.big"),
    }),
    validatingCase({
      variables: [...own, { name: "big", expression: loops(6, "true") }],
      validations: many(2, "variables.big"),
    }),
    validatingCase({
      variables: own,
      validations: [
        ...many(20, loops(5, "true")),
        { expression: "false", messageExpression: `string(${loops(5, "true")})` },
      ],
    }),
    validatingCase({
      variables: own,
      validations: Array.from({ length: 30 }, () => ({
        expression: "false",
        messageExpression: `string(${loops(5, "true")})`,
      })),
    }),
    mutatingCase({
      variables: own,
      mutations: [apply(`Object{spec: Object.spec{replicas: ${loops(6, "true")} ? 1 : 0}}`)],
    }),
  ];
}

/** Returns a policy of random parts. */
export function randomPolicyCase(random: Random): PolicyCase {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const some = <T>(most: number, make: (at: number) => T): T[] =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, (_, at) => make(at));
  const condition = (): string => {
    const kind = random();
    return kind < 0.6
      ? pick(conditions)
      : kind < 0.8
        ? `(${pick(conditions)}) && (${pick(conditions)})`
        : `(${pick(conditions)}) || (${pick(conditions)})`;
  };
  const shared = {
    ...(random() < 0.4 ? { paramKind } : {}),
    failurePolicy: random() < 0.7 ? ("Fail" as const) : ("Ignore" as const),
    variables: variables.filter(() => random() < 0.8),
    ...(random() < 0.4
      ? { matchConditions: some(3, (at) => ({ name: `c${at}`, expression: condition() })) }
      : {}),
  };
  const other = {
    authorizer: { decision: pick(["Allow", "Deny", "NoOpinion"]), reason: "because" },
    ...(random() < 0.2 ? { oldObject: undefined } : {}),
    ...(random() < 0.1 ? { namespaceObject: undefined } : {}),
  };
  if (random() < 0.3) {
    return mutatingCase({ ...shared, mutations: some(3, () => pick(mutations)) }, other);
  }
  return validatingCase(
    {
      ...shared,
      validations: some(4, () => ({
        expression: condition(),
        ...(random() < 0.4 ? { message: pick(["no", " spaces "]) } : {}),
        ...(random() < 0.4 ? { messageExpression: pick(messages) } : {}),
        ...(random() < 0.3 ? { reason: pick(["Forbidden", "Unauthorized"]) } : {}),
      })),
      auditAnnotations: some(2, (at) => ({
        key: `k${at}`,
        valueExpression: pick(annotations),
      })),
    },
    other,
  );
}
