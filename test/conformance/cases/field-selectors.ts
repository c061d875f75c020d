import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { ConformanceCase } from "../conformance-case.js";
import { rawRequest } from "../support/raw-request.js";

const notKnown = (field: string) =>
  `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
const unescaped = "invalid field selector: unescaped character in value: 61";
const noEscape = (sequence: string) =>
  `invalid field selector: invalid escape sequence: ${sequence}`;
const notUnderstood = (selector: string, term = selector) =>
  `invalid selector: '${selector}'; can't understand '${term}'`;

/** Selectors for the ConfigMaps a, b and c, each with the names it selects or the error message. */
const selectors: readonly (readonly [selector: string, chosen: readonly string[] | string])[] = [
  ["metadata.name=b", ["b"]],
  ["metadata.name==b", ["b"]],
  ["metadata.name!=b", ["a", "c"]],
  ["metadata.name=a,metadata.name=b", []],
  ["metadata.name=b,", ["b"]],
  [",", ["a", "b", "c"]],
  ["metadata.name=", []],
  ["metadata.name=B!", []],
  ["metadata.name=a/b", []],
  ["metadata.name=..", []],
  ["metadata.name=b ", []],
  ["metadata.name=a\\,b\\=c\\\\", []],
  ["metadata.name!=a\\,metadata.name", ["a", "b", "c"]],
  ["metadata.name = b", notKnown("metadata.name ")],
  [" metadata.name=b", notKnown(" metadata.name")],
  ["metadata.name=b, metadata.namespace=x", notKnown(" metadata.namespace")],
  ["metadata.name=a=b", unescaped],
  ["metadata.name!==b", unescaped],
  ["metadata.name===b", unescaped],
  ["metadata.name=a\\b", noEscape("\\b")],
  ["metadata.name=a\\", noEscape("\\")],
  ["metadata.name", notUnderstood("metadata.name")],
  [
    "metadata.name=a,metadata.namespace",
    notUnderstood("metadata.name=a,metadata.namespace", "metadata.namespace"),
  ],
];

/** Cases for field selectors, which lists, watches and deletes of collections parse alike. */
export const fieldSelectors: readonly ConformanceCase[] = [
  ...selectors.map(
    ([selector, chosen], at): ConformanceCase => ({
      id: `field-selector-${at + 1}`,
      name: `the field selector ${JSON.stringify(selector)} ${typeof chosen === "string" ? "is refused" : `chooses ${chosen.length} of 3`}`,
      async run(context) {
        const { client, namespace } = context;
        const configMaps = client.resource(ConfigMap, namespace);
        for (const name of ["a", "b", "c"]) {
          await configMaps.create({ metadata: { name } });
        }
        const query = `fieldSelector=${encodeURIComponent(selector)}`;
        const path = `/api/v1/namespaces/${namespace}/configmaps?${query}`;
        const list = await rawRequest(context, { path });
        const watch = await context.whileTimePasses(
          rawRequest(context, { path: `${path}&watch=1&timeoutSeconds=1` }),
        );
        if (typeof chosen === "string") {
          const refused = [400, chosen];
          const received = ({ status, text }: { status: number; text: string }) => [
            status,
            (JSON.parse(text) as { message: string }).message,
          ];
          assert.deepEqual(received(list), refused);
          assert.deepEqual(received(watch), refused);
          assert.deepEqual(
            received(await rawRequest(context, { method: "DELETE", path })),
            refused,
          );
          return;
        }
        const { items } = list.json<{ items: { metadata: { name: string } }[] }>();
        const names = items.map(({ metadata }) => metadata.name);
        assert.deepEqual(
          names.filter((name) => name.length === 1),
          chosen,
        );
        assert.equal(watch.status, 200);
      },
    }),
  ),
];
