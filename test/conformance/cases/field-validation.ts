import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { jsonPatch, mergePatch, strategicPatch } from "@typekube/client";
import { refusedFields } from "@typekube/core";
import { parseWarnings } from "@typekube/transport";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { expectFailure } from "../support/expect-failure.js";
import { configMap } from "../support/objects.js";
import { expectRefusal, type RawRequest, rawRequest } from "../support/raw-request.js";

function duplicateKey({ namespace }: ConformanceContext, validation: string): RawRequest {
  return {
    method: "POST",
    path: `/api/v1/namespaces/${namespace}/configmaps?fieldValidation=${validation}`,
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
  };
}

/** Cases for unknown fields and values of the wrong type. */
export const fieldValidation: readonly ConformanceCase[] = [
  ...["Ignore", "Warn", "Strict"].map(
    (validation): ConformanceCase => ({
      id: `FLD1-${validation}`,
      name: `${validation}: a value of the wrong type responds with BadRequest; FLD7: unknown fields are not reported`,
      async run(context) {
        const wrong: RawRequest = {
          method: "POST",
          path: `/api/v1/namespaces/${context.namespace}/configmaps?fieldValidation=${validation}`,
          body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"datum":{},"data":{"a":1}}',
        };
        await expectRefusal(context, wrong, {
          code: 400,
          reason: "BadRequest",
          message: /cannot unmarshal number into Go struct field ConfigMap\.data of type string$/,
        });
      },
    }),
  ),
  {
    id: "FLD1-required",
    name: "the error for a missing required field names it",
    async run(context) {
      const empty: RawRequest = {
        method: "POST",
        path: `/apis/apps/v1/namespaces/${context.namespace}/deployments`,
        body: { metadata: { name: "a" }, spec: {} },
      };
      const { details } = await expectRefusal(context, empty, { code: 422, reason: "Invalid" });
      const missing = details?.causes?.filter(({ reason }) => reason === "FieldValueRequired");
      assert.ok(
        missing?.some(({ field }) => field === "spec.selector"),
        JSON.stringify(details),
      );
    },
  },
  {
    id: "FLD3",
    name: "Ignore drops unknown fields without a warning; FLD8: a field outside of the schema is not stored",
    async run({ client, namespace }) {
      const warnings: string[] = [];
      const unknown: ConfigMap & { datum: object } = { ...configMap("a"), datum: {} };
      const created = await client.resource(ConfigMap, namespace).create(unknown, {
        fieldValidation: "Ignore",
        onWarning: (text) => warnings.push(String(text)),
      });
      assert.deepEqual(warnings, []);
      assert.equal("datum" in created, false);
    },
  },
  {
    id: "FLD4",
    name: "Warn, the default, drops unknown fields with a warning for each",
    async run({ client, namespace }) {
      const warnings: string[] = [];
      const unknown: ConfigMap & { datum: object } = {
        ...configMap("a"),
        metadata: { name: "a", ...({ nickname: "x" } as object) },
        datum: {},
      };
      await client.resource(ConfigMap, namespace).create(unknown, {
        onWarning: (text) => warnings.push(text),
      });
      assert.deepEqual(warnings.sort(), [
        'unknown field "datum"',
        'unknown field "metadata.nickname"',
      ]);
    },
  },
  {
    id: "FLD10",
    name: "a client sends no fieldValidation unless it is set; with Strict, each of its calls is strict",
    async run({ client, namespace }) {
      const warnings: string[] = [];
      const onWarning = (text: string) => warnings.push(text);
      const unknown: ConfigMap & { datum: object } = { ...configMap("a"), datum: {} };
      await client.resource(ConfigMap, namespace).create(unknown, { onWarning });
      assert.deepEqual(warnings, ['unknown field "datum"']);
      const strict = client.with({ fieldValidation: "Strict" }).resource(ConfigMap, namespace);
      const error = await strict.update(unknown, { onWarning }).catch((reason: unknown) => reason);
      assert.deepEqual(
        refusedFields(error).map(({ field }) => field),
        ["datum"],
      );
      assert.equal(warnings.length, 1);
    },
  },
  {
    id: "FLD4-duplicate",
    name: "Warn returns a warning for a duplicate field and stores the last value",
    async run(context) {
      const response = await rawRequest(context, duplicateKey(context, "Warn"));
      assert.equal(response.status, 201);
      const warnings = parseWarnings(response.headers["warning"] ?? "");
      assert.deepEqual(warnings, ['duplicate field "data.a"']);
      assert.deepEqual(response.json()["data"], { a: "2" });
    },
  },
  {
    id: "FLD5",
    name: "Strict rejects unknown fields and lists each of them",
    async run({ client, namespace }) {
      const unknown: ConfigMap & { datum: object } = {
        ...configMap("a"),
        metadata: { name: "a", ...({ nickname: "x" } as object) },
        datum: {},
      };
      const options = { fieldValidation: "Strict" } as const;
      await expectFailure(client.resource(ConfigMap, namespace).create(unknown, options), {
        code: 400,
        reason: "BadRequest",
        message:
          /strict decoding error: unknown field "datum", unknown field "metadata\.nickname"|strict decoding error: unknown field "metadata\.nickname", unknown field "datum"/,
      });
    },
  },
  {
    id: "FLD5-duplicate",
    name: "Strict rejects a duplicate field",
    async run(context) {
      await expectRefusal(context, duplicateKey(context, "Strict"), {
        code: 400,
        reason: "BadRequest",
        message: /strict decoding error: duplicate field "data\.a"/,
      });
    },
  },
  {
    id: "FLD6",
    name: "Strict rejects a patch with Invalid instead",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      await configMaps.create(configMap("a"));
      const patch = configMaps.patch("a", mergePatch({ datum: {} }), { fieldValidation: "Strict" });
      await expectFailure(patch, {
        code: 422,
        reason: "Invalid",
        message: /strict decoding error: unknown field "datum"/,
      });
    },
  },
  {
    id: "FLD2",
    name: "an unknown fieldValidation responds with Invalid",
    async run(context) {
      await expectRefusal(context, duplicateKey(context, "Loose"), {
        code: 422,
        reason: "Invalid",
      });
    },
  },
  {
    id: "FLD5-fields",
    name: "refusedFields reads the fields that Strict rejected from both kinds of response",
    async run({ client, namespace }) {
      const configMaps = client.resource(ConfigMap, namespace);
      const strict = { fieldValidation: "Strict" } as const;
      const unknown = { metadata: { name: "a", nickname: "x" }, datum: {} } as ConfigMap;
      const fieldsOf = async (failing: Promise<unknown>) =>
        refusedFields(await failing.catch((caught: unknown) => caught))
          .map(({ field, problem }) => `${problem} ${field}`)
          .sort();
      const both = ["unknown datum", "unknown metadata.nickname"];
      assert.deepEqual(await fieldsOf(configMaps.create(unknown, strict)), both);
      await configMaps.create(configMap("a"));
      assert.deepEqual(await fieldsOf(configMaps.update(unknown, strict)), both);
      for (const patch of [
        mergePatch({ datum: {} }),
        strategicPatch({ datum: {} }),
        jsonPatch([{ op: "add", path: "/datum", value: {} }]),
      ]) {
        assert.deepEqual(await fieldsOf(configMaps.patch("a", patch, strict)), ["unknown datum"]);
      }
    },
  },
];
