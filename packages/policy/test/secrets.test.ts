import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { mutate, request, validate } from "./requests.js";

const secret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "s" },
  data: { password: "aHVudGVyMg==" },
  stringData: { token: "hunter2.hunter3" },
};
const onSecret = {
  request: {
    ...request,
    kind: { group: "", version: "v1", kind: "Secret" },
    resource: { group: "", version: "v1", resource: "secrets" },
  },
  object: secret,
  oldObject: null,
};
const withheld = "an error that may contain a secret value";

/** Returns the error of an expression of a policy on a Secret. */
function errorOf(expression: string, more: Partial<Parameters<typeof validate>[1]> = onSecret) {
  const message = validate({ validations: [{ expression }] }, more).denial?.message ?? "";
  return message.split(" resulted in error: ")[1];
}

describe("policies on Secrets", () => {
  it.each([
    "semver(object.stringData.token + '.1').major() == 1",
    "ip(object.stringData.token).family() == 4",
    "cidr(object.stringData.token).prefixLength() == 4",
    "url(object.stringData.token).getHost() == 'x'",
    "object.stringData[object.stringData.token.split('.')[0]] == 'x'",
    "'a'.matches(object.stringData.token + '(')",
  ])(
    "VS7 [+]: the error of %s has no value of a Secret, one about a ConfigMap has",
    (expression) => {
      assert.equal(errorOf(expression), withheld);
      const object = { ...secret, kind: "ConfigMap" };
      assert.match(errorOf(expression, { object }) ?? "", /hunter2/);
    },
  );

  it("VS7 [+]: errors that contain no value stay as a server sends them", () => {
    assert.equal(errorOf("object.data.missing == 'x'"), "no such key: missing");
    assert.equal(errorOf("object.data.password > 1"), "no such overload");
    const conversion = "type conversion error from 'string' to 'int'";
    assert.equal(errorOf("int(object.data.password) > 3"), conversion);
    assert.equal(errorOf("1 / (object.data.size() - 1) == 1"), "division by zero");
  });

  it("VS7 [+]: a Secret as parameter and as the object before counts, too", () => {
    const params = [secret];
    const paramKind = { apiVersion: "v1", kind: "Secret" };
    const validations = [{ expression: "ip(params.data.password).family() == 4" }];
    assert.match(
      validate({ paramKind, validations }, { params }).denial?.message ?? "",
      /an error that may contain a secret value$/,
    );
    const kindless = [{ data: secret.data }];
    assert.match(
      validate({ paramKind, validations }, { params: kindless }).denial?.message ?? "",
      /an error that may contain a secret value$/,
    );
    const gone = { ...onSecret, object: null, oldObject: secret };
    assert.equal(errorOf("ip(oldObject.data.password).family() == 4", gone), withheld);
  });

  it("VS7 [+]: the errors of variables, match conditions, audit annotations and mutations have no value", () => {
    const expression = "ip(object.data.password).family() == 4";
    const variables = [{ name: "n", expression: "ip(object.data.password)" }];
    const texts = [
      validate({ variables, validations: [{ expression: "variables.n.family() == 4" }] }, onSecret),
      validate(
        { matchConditions: [{ name: "m", expression }], validations: [{ expression: "true" }] },
        onSecret,
      ),
      validate(
        {
          auditAnnotations: [{ key: "k", valueExpression: "string(ip(object.data.password))" }],
        },
        onSecret,
      ),
      mutate(
        {
          mutations: [
            {
              patchType: "JSONPatch",
              jsonPatch: {
                expression:
                  "[JSONPatch{op: 'add', path: '/a', value: ip(object.data.password).family()}]",
              },
            },
          ],
        },
        onSecret,
      ),
    ].map((result) => JSON.stringify(result));
    for (const text of texts) {
      assert.equal(text.includes(withheld), true, text);
      assert.equal(text.replaceAll(JSON.stringify(secret), "").includes("aHVu"), false, text);
    }
  });

  it("VS7 [+]: a messageExpression shows what its author wrote", () => {
    const messageExpression = "'token ' + object.stringData.token";
    const { denial } = validate(
      { validations: [{ expression: "false", messageExpression }] },
      onSecret,
    );
    assert.match(denial?.message ?? "", /token hunter2\.hunter3$/);
  });
});
