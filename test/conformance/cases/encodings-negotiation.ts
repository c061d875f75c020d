import assert from "node:assert/strict";
import { ConfigMap } from "@typekube/api/core/v1";
import type { Status } from "@typekube/core";
import { codecs, mediaTypes } from "@typekube/core/internal";
import type { ConformanceCase, ConformanceContext } from "../conformance-case.js";
import { createConfigMaps } from "../support/objects.js";
import { type RawRequest, rawRequest } from "../support/raw-request.js";
import { widgets, widgetsIn } from "../support/widgets.js";

const { cbor, json, protobuf, yaml } = mediaTypes;
const view = (as: string, version = "v1") => `as=${as};g=meta.k8s.io;v=${version}`;
const streams = `${json};stream=watch, ${protobuf};stream=watch, application/cbor-seq`;

/** Accept headers and the encoding of the response to a get: for a ConfigMap, and for a custom resource if it differs. */
const chosen: readonly (readonly [
  accept: string,
  builtIn: number | string,
  custom?: number | string,
])[] = [
  ["*/*", json],
  ["application/*", 406, json],
  ["text/html", 406],
  ["text/html, */*;q=0.1", json],
  ["Application/JSON", 406],
  ["application/cbor-seq", 406],
  [`application/cbor-seq, ${json}`, json],
  [`${cbor}, ${json}`, cbor],
  [`${cbor};q=0, ${json}`, json],
  [`${json};q=0`, json],
  [`${json};q=0.1, ${cbor};q=0.9`, cbor],
  [`${json};q=abc, ${yaml}`, yaml],
  [`${yaml}, ${json}`, yaml],
  [`*/*;q=0.1, ${yaml};q=0.05`, yaml],
  [`${json};charset=utf-8`, json],
  [`${json};stream=watch`, json],
  [`${yaml};stream=watch`, 406],
  [`${protobuf}, */*`, protobuf, json],
  [`${protobuf}, text/html`, protobuf, 406],
  [`${json};as=Foo;g=meta.k8s.io;v=v1`, 406],
  [`${json};as=Foo;g=meta.k8s.io;v=v1, ${json}`, json],
  [`${cbor};${view("Table")}, ${cbor}`, cbor],
];

interface Places {
  readonly configMaps: string;
  readonly widgets: string;
}

/** Creates a ConfigMap and a custom resource of the same name, and returns their collections' paths. */
async function createBoth(context: ConformanceContext): Promise<Places> {
  const { client, namespace } = context;
  await createConfigMaps(client, namespace, 1);
  await widgetsIn(client, namespace).create({ metadata: { name: "cm-00" }, spec: {} });
  return {
    configMaps: `/api/v1/namespaces/${namespace}/configmaps`,
    widgets: `/apis/${widgets.apiVersion}/namespaces/${namespace}/${widgets.plural}`,
  };
}

/** Returns the Status of a response, decoded by its own Content-Type, and that type. */
async function refusal(context: ConformanceContext, request: RawRequest) {
  const { headers, bytes, status } = await rawRequest(context, request);
  const type = headers["content-type"] ?? "";
  const value = (await codecs.forContentType(type)?.decode(bytes)) as Status;
  return { type, status, reason: value.reason, message: value.message };
}

/** Cases for content negotiation, and for the errors when no encoding fits. */
export const encodingsNegotiation: readonly ConformanceCase[] = [
  {
    id: "ALT25",
    name: "the encoding is negotiated by weights, wildcards, several media types and parameters",
    async run(context) {
      const places = await createBoth(context);
      for (const [accept, builtIn, custom = builtIn] of chosen) {
        for (const [place, expected] of [
          [places.configMaps, builtIn],
          [places.widgets, custom],
        ] as const) {
          const response = await rawRequest(context, { path: `${place}/cm-00`, accept });
          const type = response.headers["content-type"];
          assert.equal(
            response.status === 200 ? type : response.status,
            expected,
            `${place} ${accept}`,
          );
        }
      }
    },
  },
  {
    id: "ALT5-encodings",
    name: "an error is encoded as requested if a plain object could be",
    async run(context) {
      const places = await createBoth(context);
      const path = `${places.configMaps}/missing`;
      for (const accept of [json, yaml, protobuf, cbor]) {
        const { type, reason } = await refusal(context, { path, accept });
        assert.deepEqual([type, reason], [accept, "NotFound"]);
      }
      const accept = `${cbor};${view("PartialObjectMetadata")}`;
      assert.equal((await refusal(context, { path, accept })).type, json);
      const refused = await refusal(context, { path: places.widgets, accept: protobuf });
      assert.deepEqual([refused.type, refused.reason], [protobuf, "NotAcceptable"]);
    },
  },
  {
    id: "ALT4-texts",
    name: "a NotAcceptable error lists the media types that the path supports",
    async run(context) {
      const places = await createBoth(context);
      const known = `${json}, ${yaml}, ${protobuf}, ${cbor}`;
      const texts = [
        [
          `${places.configMaps}/cm-00`,
          "text/html",
          `406: Not Acceptable\n\nAvailable representations: ${known}`,
        ],
        [
          places.configMaps,
          "text/html",
          `406: Not Acceptable\n\nAvailable representations: ${known}, ${streams}`,
        ],
        [
          places.configMaps,
          `${json};as=Foo`,
          `only the following media types are accepted: ${known}`,
        ],
        [places.widgets, "text/html", `only the following media types are accepted: ${known}`],
        [
          `${places.configMaps}?watch=1`,
          `${yaml}, ${json};q=0.9`,
          `only the following media types are accepted: ${streams}`,
        ],
      ] as const;
      for (const [path, accept, message] of texts) {
        const refused = await refusal(context, { path, accept });
        assert.deepEqual([refused.status, refused.message], [406, message], `${path} ${accept}`);
      }
    },
  },
  {
    id: "ALT6-list",
    name: "a body of an unsupported type is rejected with the list of supported types",
    async run(context) {
      const places = await createBoth(context);
      const message = `the body of the request was in an unknown format - accepted media types include: ${json}, ${yaml}, ${protobuf}, ${cbor}`;
      for (const path of [places.configMaps, places.widgets]) {
        for (const contentType of ["text/plain", "application/cbor-seq"]) {
          const request = { method: "POST", path, contentType, body: "{}" } as const;
          const refused = await refusal(context, request);
          assert.deepEqual([refused.status, refused.message], [415, message]);
        }
      }
    },
  },
  {
    id: "ALT18",
    name: "a CBOR body must be one complete item without trailing bytes, duplicate keys and NaN",
    async run(context) {
      const places = await createBoth(context);
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } };
      const good = Buffer.from(await codecs.cbor.encode(object));
      // The map with one more pair: the byte after the tag holds the number of pairs.
      const withPair = (hex: string) => {
        const longer = Buffer.concat([good, Buffer.from(hex, "hex")]);
        longer.writeUInt8((good[3] ?? 0) + 1, 3);
        return longer;
      };
      const broken = [
        [good.subarray(0, 20), "unexpected EOF"],
        [
          Buffer.concat([good, Buffer.from([0xf6])]),
          "cbor: 1 bytes of extraneous data starting at index ",
        ],
        [
          withPair("4178f97e00"),
          "cbor: data item of cbor type primitives is not accepted by protocol: floating-point NaN",
        ],
        [withPair("446b696e644158"), 'cbor: found duplicate map key "kind" at map element index 3'],
      ] as const;
      for (const [body, why] of broken) {
        const create = {
          method: "POST",
          path: places.configMaps,
          contentType: cbor,
          body,
        } as const;
        const refused = await refusal(context, create);
        const start = `the object provided is unrecognized (must be of type ConfigMap): unable to determine group/version/kind: ${why}`;
        assert.equal(refused.status, 400, why);
        // Real servers append the first bytes of the body.
        assert.equal(refused.message?.slice(0, start.length), start);
        const patched = await refusal(context, {
          method: "PATCH",
          path: `${places.configMaps}/b?fieldManager=m`,
          contentType: mediaTypes.applyCbor,
          body,
        });
        const text = `error decoding patch: ${why}`;
        assert.deepEqual([patched.status, patched.message?.slice(0, text.length)], [400, text]);
      }
    },
  },
  {
    id: "ALT1-discovery",
    name: "discovery is served in every encoding, aggregated or not",
    async run(context) {
      const aggregated = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
      for (const type of [json, yaml, protobuf, cbor]) {
        for (const path of ["/api", "/apis", "/apis/apps", "/api/v1", "/apis/apps/v1"]) {
          const { headers } = await rawRequest(context, { path, accept: type });
          assert.equal(headers["content-type"], type, path);
        }
        const whole = await rawRequest(context, { path: "/apis", accept: `${type};${aggregated}` });
        assert.equal(whole.headers["content-type"], `${type};${aggregated}`);
      }
    },
  },
  {
    id: "ALT23-names",
    name: "metadata requested as the wrong kind is rejected, but a write is stored",
    async run(context) {
      const places = await createBoth(context);
      const one = `${json};${view("PartialObjectMetadata")}`;
      const many = `${json};${view("PartialObjectMetadataList")}`;
      const texts = [
        [
          places.configMaps,
          one,
          406,
          "you requested PartialObjectMetadata, but the requested object is a list (*core.ConfigMapList)",
        ],
        [
          places.widgets,
          one,
          406,
          "you requested PartialObjectMetadata, but the requested object is a list (*unstructured.UnstructuredList)",
        ],
        [
          `${places.configMaps}/cm-00`,
          many,
          406,
          "you requested PartialObjectMetadataList, but the requested object is not a list (*core.ConfigMap)",
        ],
        [`${places.widgets}/cm-00`, many, 500, "content is not a list"],
      ] as const;
      for (const [path, accept, status, message] of texts) {
        const refused = await refusal(context, { path, accept });
        assert.deepEqual([refused.status, refused.message], [status, message]);
      }
      const body = { metadata: { name: "made" } };
      const create = { method: "POST", path: places.configMaps, accept: many, body } as const;
      assert.equal((await refusal(context, create)).status, 406);
      await context.client.resource(ConfigMap, context.namespace).get("made");
    },
  },
  {
    id: "ALT22-wire",
    name: "items of a metadata list have a kind in JSON and CBOR, not in protobuf; the items of an empty list are null",
    async run(context) {
      const places = await createBoth(context);
      for (const path of [places.configMaps, places.widgets]) {
        for (const [type, kind] of [
          [json, "PartialObjectMetadata"],
          [cbor, "PartialObjectMetadata"],
          [protobuf, undefined],
        ] as const) {
          const accept = `${type};${view("PartialObjectMetadataList")}`;
          const { bytes } = await rawRequest(context, { path, accept });
          const list = (await codecs.forContentType(type)?.decode(bytes)) as {
            items: { kind?: string }[];
          };
          assert.deepEqual(
            list.items.map((item) => item.kind),
            [kind],
            `${type} ${path}`,
          );
        }
        const empty = await rawRequest(context, {
          path: `${path}?labelSelector=no%3Dno`,
          accept: `${json};${view("PartialObjectMetadataList")}`,
        });
        assert.equal(empty.json()["items"], null);
      }
    },
  },
  {
    id: "table-watch",
    name: "a watch of tables has one row per event and column definitions only in the first event",
    async run(context) {
      const places = await createBoth(context);
      for (const path of [places.configMaps, places.widgets]) {
        for (const version of ["v1", "v1beta1"]) {
          const watch = `${path}?watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
          const accept = `${json};${view("Table", version)}`;
          const { text } = await context.whileTimePasses(
            rawRequest(context, { path: watch, accept }),
          );
          const [first, second] = text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line));
          assert.deepEqual(
            [first, second].map(({ type, object }) => [
              type,
              object.kind,
              object.apiVersion,
              object.rows.length,
            ]),
            [
              ["ADDED", "Table", `meta.k8s.io/${version}`, 1],
              ["BOOKMARK", "Table", `meta.k8s.io/${version}`, 1],
            ],
          );
          assert.equal(first.object.columnDefinitions[0].name, "Name");
          assert.equal(second.object.columnDefinitions, null);
          assert.equal(first.object.rows[0].cells[0], "cm-00");
          assert.equal(second.object.rows[0].cells[0], "");
          assert.equal(
            second.object.rows[0].object.metadata.annotations["k8s.io/initial-events-end"],
            "true",
          );
        }
      }
    },
  },
  {
    id: "ALT29",
    name: "JSON is indented only for curl and browsers, or with pretty",
    async run(context) {
      const places = await createBoth(context);
      for (const [userAgent, query, accept, isIndented] of [
        ["typekube/1", "", json, false],
        ["curl/8.0", "", json, true],
        ["Mozilla/5.0", "", json, true],
        ["curl/8.0", "?pretty=false", json, false],
        ["typekube/1", "?pretty=true", json, true],
        ["typekube/1", "?pretty=0", `${json};pretty=1`, true],
      ] as const) {
        const path = `${places.configMaps}/cm-00${query}`;
        const { text } = await rawRequest(context, { path, accept, userAgent });
        assert.equal(text.startsWith("{\n"), isIndented, `${userAgent} ${query} ${accept}`);
      }
    },
  },
];
