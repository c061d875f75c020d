import assert from "node:assert/strict";
import { parseWarnings } from "@typekube/transport";
import type { ConformanceCase } from "../conformance-case.js";
import { expectRefusal, type RawRequest, rawRequest } from "../support/raw-request.js";

/** Cases for the order and number of decoding errors that servers report. */
export const fieldValidationTexts: readonly ConformanceCase[] = [
  {
    id: "FLD5-order",
    name: "unknown and duplicate fields are reported together in the order of the body",
    async run(context) {
      const wrong = (validation: string): RawRequest => ({
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps?fieldValidation=${validation}`,
        body: '{"apiVersion":"v1","zzz":1,"kind":"ConfigMap","metadata":{"name":"a","foo":1,"labels":{"x":"1","x":"2"},"bar":{"q":1,"q":2}},"data":{"a":"1","a":"2","a":"3"},"aaa":1,"10":1,"9":1,"data":{}}',
      });
      const received = [
        'unknown field "zzz"',
        'unknown field "metadata.foo"',
        'duplicate field "metadata.labels.x"',
        'unknown field "metadata.bar"',
        'duplicate field "data.a"',
        'unknown field "aaa"',
        'unknown field "10"',
        'unknown field "9"',
        'duplicate field "data"',
      ];
      await expectRefusal(context, wrong("Strict"), {
        code: 400,
        reason: "BadRequest",
        message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: ${received.join(", ")}`,
      });
      const response = await rawRequest(context, wrong("Warn"));
      assert.deepEqual(parseWarnings(response.headers["warning"] ?? ""), received);
    },
  },
  {
    id: "FLD5-yaml",
    name: "a duplicate key in YAML is reported with its line, other errors with the field",
    async run(context) {
      const body =
        'apiVersion: v1\nkind: ConfigMap\nzzz: 1\nmetadata: {name: a}\ndata:\n  a: "1"\n  a: "2"\naaa: 2\n';
      const wrong = (validation: string): RawRequest => ({
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps?fieldValidation=${validation}`,
        contentType: "application/yaml",
        body,
      });
      const twice = 'line 7: key "a" already set in map';
      await expectRefusal(context, wrong("Strict"), {
        code: 400,
        reason: "BadRequest",
        message: `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  ${twice}, unknown field "aaa", unknown field "zzz"`,
      });
      const response = await rawRequest(context, wrong("Warn"));
      assert.deepEqual(response.json()["data"], { a: "2" });
      assert.deepEqual(parseWarnings(response.headers["warning"] ?? ""), [
        twice,
        'unknown field "aaa"',
        'unknown field "zzz"',
      ]);
    },
  },
  ...[
    [
      "yaml",
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  a: "1"\n  a: "2"\n',
      6,
    ],
    [
      "json",
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},\n"data":{"a":"1",\n"a":"2"}}',
      3,
    ],
  ].map(
    ([id, body, line]): ConformanceCase => ({
      id: `FLD5-apply-${id}`,
      name: "a duplicate key in an apply is reported with its line",
      async run(context) {
        const wrong = (validation: string): RawRequest => ({
          method: "PATCH",
          path: `/api/v1/namespaces/${context.namespace}/configmaps/a?fieldManager=m&fieldValidation=${validation}`,
          contentType: "application/apply-patch+yaml",
          body,
        });
        const twice = `line ${line}: key "a" already set in map`;
        await expectRefusal(context, wrong("Strict"), {
          code: 400,
          reason: "BadRequest",
          message: `error strict decoding patch: error converting YAML to JSON: yaml: unmarshal errors:\n  ${twice}`,
        });
        const response = await rawRequest(context, wrong("Warn"));
        assert.deepEqual(response.json()["data"], { a: "2" });
        assert.deepEqual(parseWarnings(response.headers["warning"] ?? ""), [twice]);
        const silent = await rawRequest(context, wrong("Ignore"));
        assert.equal(silent.headers["warning"], undefined);
      },
    }),
  ),
  {
    id: "FLD5-many",
    name: "at most 100 errors are reported",
    async run(context) {
      const fields = Array.from({ length: 130 }, (_, at) => `"u${at}":1`);
      const status = await expectRefusal(
        context,
        {
          method: "POST",
          path: `/api/v1/namespaces/${context.namespace}/configmaps?fieldValidation=Strict`,
          body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},${fields.join()}}`,
        },
        { code: 400, reason: "BadRequest", message: /"u98", unknown field "u99"$/ },
      );
      assert.equal(status.message?.split("unknown field").length, 101);
    },
  },
  {
    id: "FLD4-long",
    name: "warnings above the total limit are truncated, each of them",
    async run(context) {
      const long = "x".repeat(5_000);
      const response = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"${long}":1,"short":2}`,
      });
      assert.deepEqual(parseWarnings(response.headers["warning"] ?? ""), [
        `unknown field "${long}`.slice(0, 256),
        'unknown field "short"',
      ]);
      const many = Array.from({ length: 90 }, (_, at) => `"${String(at).padStart(100, "y")}":1`);
      const second = await rawRequest(context, {
        method: "POST",
        path: `/api/v1/namespaces/${context.namespace}/configmaps`,
        body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"b"},${many.join()}}`,
      });
      assert.equal(parseWarnings(second.headers["warning"] ?? "").length, 36);
    },
  },
];
