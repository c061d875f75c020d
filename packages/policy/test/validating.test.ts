import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { deployment, request, validate } from "./requests.js";

const byB = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request:";

describe("validating policies", () => {
  it("VA1: expressions see the object, the old one, the request, the namespace and parameters", () => {
    const { allowed, decisions } = validate(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        validations: [
          { expression: "object.spec.replicas == 3 && oldObject.spec.replicas == 2" },
          { expression: "request.operation == 'UPDATE' && request.userInfo.username == 'jane'" },
          { expression: "namespaceObject.metadata.labels.env == 'test'" },
          { expression: "params.data.max == '5'" },
          { expression: "!has(request.subResource)" },
        ],
      },
      { params: [{ data: { max: "5" } }] },
    );
    assert.equal(allowed, true);
    assert.deepEqual(new Set(decisions.map(({ evaluation }) => evaluation)), new Set(["admit"]));
  });

  it("VA1: object is null for a DELETE, oldObject for a CREATE, namespaceObject for cluster scope", () => {
    const none = { object: null, oldObject: null, namespaceObject: null };
    const expression = "object == null && oldObject == null && namespaceObject == null";
    assert.equal(validate({ validations: [{ expression }] }, none).allowed, true);
  });

  it("VA2: an unknown field of the request does not compile, one of the object fails when it is read", () => {
    const messageOf = (expression: string) =>
      validate({ validations: [{ expression }] }).denial?.message;
    assert.equal(
      messageOf("request.namex == 'x'"),
      `${byB} compilation error: compilation failed: ERROR: <input>:1:8: undefined field 'namex'\n | request.namex == 'x'\n | .......^`,
    );
    assert.equal(
      messageOf("object.namex == 'x'"),
      `${byB} expression 'object.namex == 'x'' resulted in error: no such key: namex`,
    );
  });

  it("VA3: a variable is evaluated once, and only if it is used; its cost counts once", () => {
    const variables = [
      { name: "many", expression: "[1, 2, 3].map(i, i * object.spec.replicas)" },
      { name: "broken", expression: "object.nowhere" },
    ];
    const one = validate({ variables, validations: [{ expression: "variables.many[0] == 3" }] });
    const two = validate({
      variables,
      validations: [
        { expression: "variables.many[0] == 3" },
        { expression: "variables.many[0] == 3" },
      ],
    });
    const without = validate({
      variables: [{ name: "many", expression: "[3]" }],
      validations: [{ expression: "variables.many[0] == 3" }],
    });
    assert.equal(one.allowed, true);
    // The second use costs as much as a use of a constant variable.
    assert.equal(two.cost - one.cost, without.cost);
  });

  it("VA3: an error in a variable is an error of what uses it; forward uses do not compile", () => {
    const { decisions } = validate({
      variables: [
        { name: "early", expression: "variables.late" },
        { name: "late", expression: "object.nowhere" },
      ],
      validations: [
        { expression: "variables.late == 1 || true" },
        { expression: "variables.late == 1" },
        { expression: "variables.early == 1" },
      ],
    });
    assert.deepEqual(
      decisions.map(({ evaluation, message }) => `${evaluation} ${message.split("\n")[0]}`),
      [
        "admit ",
        `error expression 'variables.late == 1' resulted in error: composited variable "late" fails to evaluate: no such key: nowhere`,
        `error expression 'variables.early == 1' resulted in error: composited variable "early" fails to compile: compilation failed: ERROR: <input>:1:10: undefined field 'late'`,
      ],
    );
  });

  it("VA4: errors refuse the request, or admit it if the policy ignores failures", () => {
    const validations = [{ expression: "object.nowhere == 1" }];
    assert.equal(validate({ validations }).denial?.code, 422);
    const ignored = validate({ validations, failurePolicy: "Ignore" });
    assert.equal(ignored.allowed, true);
    assert.equal(ignored.decisions[0]?.evaluation, "error");
  });

  it("VC6: expressions of a policy share 10,000,000 units; over them nothing else is decided", () => {
    const ten = { name: "ten", expression: "[0,1,2,3,4,5,6,7,8,9]" };
    const loop = [1, 2, 3, 4, 5].reduceRight(
      (inner, at) => `variables.ten.all(x${at}, ${inner})`,
      "true",
    );
    const { decisions } = validate({
      variables: [ten],
      validations: Array.from({ length: 30 }, () => ({ expression: loop })),
    });
    assert.deepEqual(decisions, [
      {
        action: "deny",
        evaluation: "error",
        message:
          "validation failed due to running out of cost budget, no further validation rules will be run",
      },
    ]);
  });

  it("VA5: Deny, Warn and Audit act on the same decisions", () => {
    const validations = [{ expression: "true" }, { expression: "false", message: "<no>" }];
    const actions = (validationActions: ("Audit" | "Deny" | "Warn")[]) =>
      validate(
        { validations },
        {
          binding: { metadata: { name: "b" }, spec: { policyName: "p", validationActions } },
        },
      );
    assert.deepEqual(actions(["Warn"]).warnings, [
      "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': <no>",
    ]);
    assert.equal(actions(["Warn"]).allowed, true);
    const audited = actions(["Audit", "Deny"]);
    assert.equal(audited.denial?.message, `${byB} <no>`);
    assert.deepEqual(audited.auditAnnotations, {
      "validation.policy.admission.k8s.io/validation_failure":
        '[{"message":"\\u003cno\\u003e","policy":"p","binding":"b","expressionIndex":1,"validationActions":["Audit","Deny"]}]',
    });
  });

  it("VA5: the reason of a validation decides the code", () => {
    const codeOf = (reason?: string) =>
      validate({ validations: [{ expression: "false", ...(reason ? { reason } : {}) }] }).denial
        ?.code;
    assert.deepEqual(
      [undefined, "Invalid", "Forbidden", "Unauthorized", "RequestEntityTooLarge"].map(codeOf),
      [422, 422, 403, 401, 413],
    );
  });

  it("VA6: messageExpression wins over message, unless it fails, is blank, long or has two lines", () => {
    const messageOf = (messageExpression: string) =>
      validate({ validations: [{ expression: "false", message: " own ", messageExpression }] })
        .decisions[0]?.message;
    assert.equal(messageOf("' computed ' + string(object.spec.replicas)"), "computed 3");
    for (const unusable of [
      "string(object.nowhere)",
      "'  '",
      "'a\\nb'",
      `'${"x".repeat(5121)}'`,
      "1",
    ]) {
      assert.equal(messageOf(unusable), "own");
    }
    const bare = validate({ validations: [{ expression: " false " }] });
    assert.equal(bare.decisions[0]?.message, "failed expression: false");
  });

  it("VA7: audit annotations have the name of the policy; null and blanks give none, long values are cut", () => {
    const { auditAnnotations, allowed } = validate(
      {
        auditAnnotations: [
          { key: "who", valueExpression: "request.userInfo.username" },
          { key: "none", valueExpression: "null" },
          { key: "blank", valueExpression: "'  '" },
          { key: "long", valueExpression: "string(params.text)" },
        ],
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      },
      { params: [{ text: "é".repeat(6000) }] },
    );
    assert.equal(allowed, true);
    assert.equal(auditAnnotations["p/who"], "jane");
    assert.deepEqual(Object.keys(auditAnnotations), ["p/who", "p/long"]);
    assert.equal(Buffer.byteLength(auditAnnotations["p/long"] ?? ""), 10 * 1024);
  });

  it("VA7: an annotation that fails refuses the request, and values of several parameters are joined", () => {
    const failed = validate({
      auditAnnotations: [{ key: "k", valueExpression: "string(object.x)" }],
    });
    assert.equal(
      failed.denial?.message,
      `${byB} expression 'string(object.x)' resulted in error: no such key: x`,
    );
    const { auditAnnotations } = validate(
      {
        paramKind: { apiVersion: "v1", kind: "ConfigMap" },
        auditAnnotations: [{ key: "k", valueExpression: "string(params.n)" }],
      },
      { params: [{ n: 1 }, { n: 2 }, { n: 1 }] },
    );
    assert.equal(auditAnnotations["p/k"], "1, 2");
  });

  it("VA8: conditions see the requested resource; a false one decides, several errors are listed", () => {
    const equivalent = {
      ...request,
      requestResource: { group: "apps", version: "v1beta1", resource: "deployments" },
    };
    const of = (...expressions: string[]) =>
      validate(
        {
          matchConditions: expressions.map((expression, at) => ({ name: `c${at}`, expression })),
          validations: [{ expression: "request.resource.version == 'v1' && false" }],
        },
        { request: equivalent },
      );
    assert.deepEqual(of("object.x == 1", "false").decisions, []);
    assert.deepEqual(of("request.resource.version == 'v1'").decisions, []);
    assert.equal(of("true").allowed, false);
    assert.equal(
      of("object.x == 1", "object.y == 1").decisions[0]?.message,
      "[expression 'object.x == 1' resulted in error: no such key: x, expression 'object.y == 1' resulted in error: no such key: y]",
    );
  });

  it("VK18: authorizer asks the given function; messages and annotations have no authorizer", () => {
    const asked: unknown[] = [];
    const { allowed, denial } = validate(
      {
        validations: [
          { expression: "authorizer.requestResource.check('delete').allowed()" },
          {
            expression:
              "!authorizer.serviceAccount('shop', 'bot').path('/x').check('get').allowed()",
          },
        ],
      },
      {
        authorize: (attributes) => {
          asked.push(attributes);
          return { decision: attributes.isResourceRequest ? "Allow" : "Deny" };
        },
      },
    );
    assert.equal(allowed, true, denial?.message);
    assert.equal(asked.length, 2);
    const without = validate({
      validations: [{ expression: "authorizer.path('/').check('x').allowed()" }],
    });
    assert.match(without.denial?.message ?? "", /no such attribute\(s\): authorizer/);
  });

  it("VL28: keys such as __proto__ and constructor are absent unless the object has them", () => {
    const object = JSON.parse('{"__proto__": {"a": 1}, "metadata": {"name": "x"}}');
    const { decisions } = validate(
      {
        validations: [
          { expression: "!has(object.constructor) && !has(object.metadata.toString)" },
          { expression: "object['__proto__'].a == 1" },
        ],
      },
      { object },
    );
    assert.deepEqual(
      decisions.map(({ action }) => action),
      ["admit", "admit"],
    );
  });

  it("evaluates nothing that the policy does not have", () => {
    assert.deepEqual(validate({}, { object: deployment(1) }).decisions, []);
  });
});
