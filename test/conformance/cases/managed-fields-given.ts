import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import { mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import {
  customDefinition,
  customGroup,
  customResource,
  version,
} from "../support/custom-resources.js";
import { rawRequest } from "../support/raw-request.js";

/** An entry of managedFields, as far as it is compared. */
interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly fieldsV1: unknown;
}

interface Written {
  readonly metadata: { readonly managedFields?: readonly Entry[] };
}

/** Returns the owners in an object, as `manager operation fields`. */
function owners({ metadata }: Written): string[] {
  return (metadata.managedFields ?? []).map(
    ({ manager, operation, fieldsV1 }) => `${manager} ${operation} ${JSON.stringify(fieldsV1)}`,
  );
}

const entry = {
  manager: "x",
  operation: "Update",
  apiVersion: "v1",
  time: "2020-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:other": {} } },
};

/** Lists of managedFields with entries that servers cannot read. */
const unreadable: Readonly<Record<string, readonly object[]>> = {
  "an unknown operation": [{ ...entry, operation: "Nope" }],
  "no operation": [{ ...entry, operation: undefined }],
  "no apiVersion": [{ ...entry, apiVersion: undefined }],
  "no fieldsType": [{ ...entry, fieldsType: undefined }],
  "another fieldsType": [{ ...entry, fieldsType: "FieldsV2" }],
  "keys of another form": [{ ...entry, fieldsV1: { zzz: {} } }],
  "a list in place of a set": [{ ...entry, fieldsV1: { "f:data": [1] } }],
  "a readable entry and an empty one": [entry, {}],
};

const one = 'one Update {"f:data":{".":{},"f:k":{}}}';

/** Writes a ConfigMap with a list of managedFields; returns its owners. */
async function writeMap(
  context: ConformanceContext,
  method: "POST" | "PUT",
  manager: string,
  managedFields: readonly object[] | null | undefined,
  value = "v",
): Promise<string[]> {
  const path = `/api/v1/namespaces/${context.namespace}/configmaps`;
  const response = await rawRequest(context, {
    method,
    path: `${path}${method === "PUT" ? "/a" : ""}?fieldManager=${manager}`,
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", managedFields },
      data: { k: value },
    },
  });
  assert.ok(response.status <= 201, response.text);
  return owners(response.json<Written>());
}

const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const opens = customDefinition("Open", [version(open)]);

/** Values of a field without a schema, and the owners of its parts after another manager replaced it. */
const replaced: readonly (readonly [before: unknown, after: unknown, owners: readonly string[]])[] =
  [
    [1, { a: { b: {} } }, ['two Update {"f:x":{".":{},"f:a":{".":{},"f:b":{}}}}']],
    [[1], { a: 1 }, ['two Update {"f:x":{".":{},"f:a":{}}}']],
    [{ a: { b: 1 } }, 1, ['two Update {"f:x":{}}']],
    [{ a: 1 }, [], ['two Update {"f:x":{}}']],
    [{ a: { b: 1 } }, { a: 2 }, ['one Update {"f:x":{}}', 'two Update {"f:x":{"f:a":{}}}']],
    [
      { a: 1 },
      { a: { b: {} } },
      ['one Update {"f:x":{}}', 'two Update {"f:x":{"f:a":{".":{},"f:b":{}}}}'],
    ],
    [{}, null, ['two Update {"f:x":{}}']],
    [null, {}, ['two Update {"f:x":{}}']],
    [null, { a: 1 }, ['one Update {"f:x":{}}', 'two Update {"f:x":{"f:a":{}}}']],
  ];

/** Cases for managedFields that a client sends, and for values that become values of another type. */
export const managedFieldsGiven: readonly ConformanceCase[] = [
  {
    id: "managed-fields-create",
    name: "a create records its manager, also with an empty list of managedFields or an unreadable one",
    async run(context) {
      const maps = context.client.resource(ConfigMap, context.namespace);
      for (const given of [undefined, null, [], [{}], ...Object.values(unreadable)]) {
        assert.deepEqual(await writeMap(context, "POST", "one", given), [one]);
        await maps.delete("a");
      }
      assert.deepEqual(await writeMap(context, "POST", "one", [entry]), [
        'x Update {"f:data":{"f:other":{}}}',
        one,
      ]);
    },
  },
  {
    id: "managed-fields-update",
    name: "an update with an empty list of managedFields drops all managers; an unreadable list changes none",
    async run(context) {
      const maps = context.client.resource(ConfigMap, context.namespace);
      for (const given of [[], [{}]]) {
        await writeMap(context, "POST", "one", undefined);
        assert.deepEqual(await writeMap(context, "PUT", "two", given, "w"), []);
        await maps.delete("a");
      }
      for (const [what, given] of Object.entries(unreadable)) {
        await writeMap(context, "POST", "one", undefined);
        assert.deepEqual(
          await writeMap(context, "PUT", "two", given, "w"),
          ['one Update {"f:data":{}}', 'two Update {"f:data":{"f:k":{}}}'],
          what,
        );
        await maps.delete("a");
      }
    },
  },
  {
    id: "managed-fields-other-type",
    name: "custom: the manager that replaces a value by one of another type owns all of its fields",
    needs: ["crd"],
    async run(context) {
      const resource = await customResource(context, opens);
      const path = `/apis/${customGroup}/v1/namespaces/${context.namespace}/opens`;
      for (const [before, after, expected] of replaced) {
        const what = `${JSON.stringify(before)} to ${JSON.stringify(after)}`;
        await rawRequest(context, {
          method: "POST",
          path: `${path}?fieldManager=one`,
          body: {
            apiVersion: `${customGroup}/v1`,
            kind: "Open",
            metadata: { name: "a" },
            x: before,
          },
        });
        const response = await rawRequest(context, {
          method: "PATCH",
          path: `${path}/a?fieldManager=two`,
          contentType: mediaTypes.jsonPatch,
          body: [{ op: "replace", path: "/x", value: after }],
        });
        assert.equal(response.status, 200, `${what}: ${response.text}`);
        assert.deepEqual(owners(response.json<Written>()), expected, what);
        await resource.delete("a");
      }
    },
  },
];
