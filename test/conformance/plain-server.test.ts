import assert from "node:assert/strict";
import { get as getHttp, type IncomingHttpHeaders } from "node:http";
import { get as getHttps } from "node:https";
import { constants, gunzipSync, inflateRawSync } from "node:zlib";
import { ConfigMap } from "@typekube/api/core/v1";
import { startApiServer } from "@typekube/apiserver";
import { codecs, mediaTypes } from "@typekube/core/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { startRealServer } from "@typekube/test-support/real-server/real-server";
import { connect } from "typekube";
import { afterAll, beforeAll, describe, test } from "vitest";
import { rawRequest } from "./support/raw-request.js";
import { installWidgets, widgets } from "./support/widgets.js";

/** A listening server with default feature gates. */
interface PlainServer extends AsyncDisposable {
  readonly server: string;
  readonly token?: string;
  readonly ca?: string;
}

const { applyCbor, cbor, json, protobuf, yaml } = mediaTypes;
const plain = `${json}, ${yaml}, ${protobuf}`;
const streams = `${json};stream=watch, ${protobuf};stream=watch`;
const limit = 128 * 1024;
const place = "/api/v1/namespaces/default/configmaps";
const customPlace = `/apis/${widgets.apiVersion}/namespaces/default/${widgets.plural}`;
const streamingList = `${place}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;
const hasReal = (await findAssets()) !== undefined;

async function embedded(): Promise<PlainServer> {
  const api = await startApiServer({ resources: [widgets] });
  const listener = await api.listen();
  return { ...listener.connectOptions(), [Symbol.asyncDispose]: () => api.close() };
}

async function real(): Promise<PlainServer> {
  const server = await startRealServer({ flags: ["--feature-gates=CBORServingAndStorage=false"] });
  assert.ok(server);
  const client = await connect(server.connectOptions());
  await installWidgets(client);
  await client.close();
  return { ...server.connectOptions(), [Symbol.asyncDispose]: () => server.close() };
}

/** Returns the headers and raw bytes of a response, read until `enough` returns true. */
function getRaw(
  { server, token, ca }: PlainServer,
  path: string,
  headers: Readonly<Record<string, string>>,
  enough: (bytes: Buffer) => boolean = () => false,
): Promise<{ headers: IncomingHttpHeaders; bytes: Buffer }> {
  const get = server.startsWith("https:") ? getHttps : getHttp;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const options = { agent: false, ca, headers: { ...authorization, ...headers } } as const;
    const request = get(server + path, options, (response) => {
      const chunks: Buffer[] = [];
      const done = () => {
        resolve({ headers: response.headers, bytes: Buffer.concat(chunks) });
        request.destroy();
      };
      response.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (enough(Buffer.concat(chunks))) {
          done();
        }
      });
      response.on("end", done);
      response.on("error", reject);
    });
    request.on("error", reject);
  });
}

/** Returns the text of all gzip members, each inflated separately, and their number. */
function readMembers(bytes: Buffer): { count: number; text: string } {
  const [headBytes, tailBytes] = [10, 8];
  let text = "";
  let count = 0;
  for (let at = 0; at + headBytes < bytes.length; count++) {
    const { buffer, engine } = inflateRawSync(bytes.subarray(at + headBytes), {
      finishFlush: constants.Z_SYNC_FLUSH,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    text += buffer.toString();
    at += headBytes + engine.bytesWritten + tailBytes;
  }
  return { count, text };
}

describe.each([
  ["embedded", embedded, true],
  ["real", real, hasReal],
] as const)("%s, with default feature gates", (_, start, isThere) => {
  let server: PlainServer;

  beforeAll(async () => {
    if (!isThere) {
      return;
    }
    server = await start();
    await using client = await connect(server);
    const configMaps = client.resource(ConfigMap, "default");
    // An object is a few hundred bytes larger than its data.
    for (const [name, bytes] of [
      ["small", limit - 2_000],
      ["large", limit],
    ] as const) {
      const metadata = { name, labels: { size: name } };
      await configMaps.create({ metadata, data: { k: "x".repeat(bytes) } });
    }
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test.skipIf(!isThere)("ALT28: compresses responses above 128 KiB", async () => {
    for (const name of ["small", "large"]) {
      const { headers, bytes } = await getRaw(server, `${place}/${name}`, {
        "accept-encoding": "gzip",
      });
      const isZipped = headers["content-encoding"] === "gzip";
      const length = (isZipped ? gunzipSync(bytes) : bytes).byteLength;
      assert.equal(isZipped, length > limit, `${name}: ${length} bytes`);
      assert.equal(headers["vary"], isZipped ? "Accept-Encoding" : undefined);
    }
  });

  test.skipIf(!isThere)(
    "ALT27: compresses only when gzip is accepted without a weight",
    async () => {
      for (const [accepted, isZipped] of [
        ["deflate, gzip", true],
        ["gzip;q=0", false],
        ["gzip;q=0.9", false],
        ["GZIP", false],
        ["*", false],
      ] as const) {
        const { headers } = await getRaw(server, place, { "accept-encoding": accepted });
        assert.equal(headers["content-encoding"] === "gzip", isZipped, accepted);
      }
    },
  );

  test.skipIf(!isThere)("ALT28: compresses a streaming list, but not a plain watch", async () => {
    const accepted = { "accept-encoding": "gzip" };
    const watch = `${place}?watch=1&resourceVersion=0&timeoutSeconds=1`;
    const plainWatch = await getRaw(server, watch, accepted, (bytes) => bytes.length > limit);
    assert.equal(plainWatch.headers["content-encoding"], undefined);
    const bookmark = (bytes: Buffer) => readMembers(bytes).text.includes("BOOKMARK");
    const small = `${streamingList}&labelSelector=size%3Dnone`;
    const list = await getRaw(server, small, accepted, bookmark);
    assert.equal(list.headers["content-encoding"], "gzip");
    assert.equal(list.headers["vary"], "Accept-Encoding");
  });

  test.skipIf(!isThere)("ALT28: sends later events as separate gzip members", async () => {
    await using client = await connect(server);
    const labels = { live: "yes" };
    let written: Promise<unknown> | undefined;
    const enough = (bytes: Buffer) => {
      const { text } = readMembers(bytes);
      if (text.includes("BOOKMARK")) {
        const live = { metadata: { name: "live", labels } };
        written ??= client.resource(ConfigMap, "default").create(live);
      }
      return text.includes("ADDED");
    };
    const path = `${streamingList}&labelSelector=live%3Dyes`;
    const { bytes } = await getRaw(server, path, { "accept-encoding": "gzip" }, enough);
    await written;
    const { count, text } = readMembers(bytes);
    assert.ok(count >= 2, `${count} members`);
    assert.match(text, /"name":"live"/);
  });

  test.skipIf(!isThere)(
    "ALT17: rejects CBOR with the messages of a server without it",
    async () => {
      await using client = await connect(server);
      const context = { client, signal: AbortSignal.timeout(90_000) };
      const known = `406: Not Acceptable\n\nAvailable representations: ${plain}`;
      const only = "only the following media types are accepted: ";
      const types =
        "the body of the request was in an unknown format - accepted media types include: ";
      const body = await codecs.cbor.encode({ metadata: { name: "x" } });
      const patch = { method: "PATCH", contentType: applyCbor, body } as const;
      for (const [request, status, message] of [
        [{ path: `${place}/small`, accept: cbor }, 406, known],
        [{ path: place, accept: cbor }, 406, `${known}, ${streams}`],
        [{ path: customPlace, accept: cbor }, 406, only + plain],
        [{ path: `${place}?watch=1`, accept: yaml }, 406, only + streams],
        [{ path: place, method: "POST", contentType: cbor, body }, 415, types + plain],
        [{ ...patch, path: `${place}/x?fieldManager=m` }, 415, "415: Unsupported Media Type"],
        [
          { ...patch, path: `${customPlace}/x?fieldManager=m` },
          415,
          `${types}application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
        ],
      ] as const) {
        const response = await rawRequest(context, request);
        const codec = codecs.forContentType(response.headers["content-type"] ?? "");
        const refused = (await codec?.decode(response.bytes)) as { message?: string };
        assert.deepEqual([response.status, refused.message], [status, message]);
      }
      const second = await rawRequest(context, { path: place, accept: `${cbor}, ${json};q=0.9` });
      assert.equal(second.headers["content-type"], json);
    },
  );
});
