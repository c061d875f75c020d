import { get, type IncomingHttpHeaders } from "node:http";
import { constants, gunzipSync, inflateRawSync } from "node:zlib";
import { codecs, mediaTypes } from "@typekube/core/internal";
import { call, configMaps, createConfigMaps } from "@typekube/test-support/api-calls";
import { describe, expect, test } from "vitest";
import { startApiServer } from "../src/index.js";

const limit = 128 * 1024;
const streamingList = `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`;

interface Raw {
  readonly headers: IncomingHttpHeaders;
  /** Reads the bytes on the wire. */
  read(enough?: (bytes: Buffer) => boolean): Promise<Buffer>;
}

/** Sends a request with a client that does not decompress. */
function fetchRaw(url: string, headers: Readonly<Record<string, string>>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, headers }, (response) => {
      const chunks: Buffer[] = [];
      const source = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      resolve({
        headers: response.headers,
        async read(enough = () => false) {
          while (!enough(Buffer.concat(chunks))) {
            const { done, value } = await source.next();
            if (done) {
              break;
            }
            chunks.push(value);
          }
          return Buffer.concat(chunks);
        },
      });
    });
    request.on("error", reject);
  });
}

/** Returns the texts of the complete gzip members. */
function members(bytes: Buffer): string[] {
  const texts: string[] = [];
  const headBytes = 10;
  const tailBytes = 8;
  for (let at = 0; at + headBytes < bytes.length; ) {
    const finishFlush = constants.Z_SYNC_FLUSH;
    const { buffer, engine } = inflateRawSync(bytes.subarray(at + headBytes), {
      finishFlush,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    at += headBytes + engine.bytesWritten + tailBytes;
    if (at > bytes.length) {
      break;
    }
    texts.push(buffer.toString());
  }
  return texts;
}

/** Creates a ConfigMap whose JSON has this many bytes. */
async function createOfSize(
  api: Parameters<typeof call>[0],
  name: string,
  bytes: number,
): Promise<void> {
  const make = async (filler: number, query = "") =>
    call(api, "POST", `${configMaps}${query}`, {
      metadata: { name },
      data: { k: "x".repeat(filler) },
    });
  const base = (await make(1, "?dryRun=All")).text.length - 1;
  await make(bytes - base);
  // Reads the object, because a dry run lacks the resourceVersion, which is part of its size.
  const { text, body } = await call(api, "GET", `${configMaps}/${name}`);
  body.data.k = "x".repeat(body.data.k.length - (text.length - bytes));
  await call(api, "PUT", `${configMaps}/${name}`, body);
}

describe("the listener", () => {
  test("ALT28: compresses more than 128 KiB, but not 128 KiB", async () => {
    await using api = await startApiServer();
    await createOfSize(api, "aa", limit);
    await createOfSize(api, "bb", limit + 1);
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    for (const [name, encoding] of [
      ["aa", undefined],
      ["bb", "gzip"],
    ] as const) {
      const path = `${url}${configMaps}/${name}`;
      const { headers, read } = await fetchRaw(path, { "accept-encoding": "gzip" });
      const bytes = await read();
      const text = encoding === undefined ? bytes : gunzipSync(bytes);
      expect([name, headers["content-encoding"], text.length]).toEqual([
        name,
        encoding,
        name === "aa" ? limit : limit + 1,
      ]);
      expect(headers["vary"]).toBe(encoding === undefined ? undefined : "Accept-Encoding");
    }
  });

  test.each([
    ["gzip", true],
    ["deflate, gzip", true],
    ["gzip;q=0", false],
    ["br;q=1, gzip;q=0.1", false],
    ["GZIP", false],
    ["*", false],
    ["identity", false],
  ])(
    "ALT27: compresses a large response for Accept-Encoding %s: %s",
    async (acceptEncoding, zipped) => {
      await using api = await startApiServer();
      await createOfSize(api, "a", 2 * limit);
      const { server: url } = await api.listen({ tls: false, anonymous: true });
      const { headers, read } = await fetchRaw(`${url}${configMaps}`, {
        "accept-encoding": acceptEncoding,
      });
      await read();
      expect(headers["content-encoding"] === "gzip").toBe(zipped);
    },
  );

  test.each([mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf, mediaTypes.cbor])(
    "ALT27: a list in %s is the same with gzip and without",
    async (accept) => {
      await using api = await startApiServer({ featureGates: { CBORServingAndStorage: true } });
      await createOfSize(api, "a", 2 * limit);
      const { server: url } = await api.listen({ tls: false, anonymous: true });
      const plain = await fetchRaw(`${url}${configMaps}`, { accept });
      const zipped = await fetchRaw(`${url}${configMaps}`, { accept, "accept-encoding": "gzip" });
      expect(zipped.headers["content-encoding"]).toBe("gzip");
      const codec = codecs.forContentType(accept);
      expect(await codec?.decode(gunzipSync(await zipped.read()))).toEqual(
        await codec?.decode(await plain.read()),
      );
    },
  );

  test("ALT28: never compresses a plain watch", async () => {
    await using api = await startApiServer();
    await createOfSize(api, "a", 2 * limit);
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    const { headers, read } = await fetchRaw(`${url}${configMaps}?watch=1&resourceVersion=0`, {
      "accept-encoding": "gzip",
    });
    expect(headers["content-encoding"]).toBeUndefined();
    expect((await read((bytes) => bytes.length > limit)).toString()).toMatch(/^{"type":"ADDED"/);
  });

  test("ALT28: compresses a streaming list of any size, in members that are sent once complete", async () => {
    await using api = await startApiServer();
    await createConfigMaps(api, "a");
    const { server: url } = await api.listen({ tls: false, anonymous: true });
    const { headers, read } = await fetchRaw(url + streamingList, { "accept-encoding": "gzip" });
    expect([headers["content-encoding"], headers["vary"]]).toEqual(["gzip", "Accept-Encoding"]);
    const bytes = await read((soFar) => members(soFar).length === 1);
    const first = members(bytes);
    // Go's reader holds back the last block until more bytes arrive, so the last block is empty.
    expect(bytes.subarray(-17, -8).toString("hex")).toBe("0000ffff010000ffff");
    expect(first.join("")).toMatch(/^{"type":"ADDED".*\n{"type":"BOOKMARK".*\n$/);
    await createConfigMaps(api, "b");
    const [, second] = members(await read((bytes) => members(bytes).length === 2));
    expect(second).toMatch(/^{"type":"ADDED".*"name":"b".*\n$/);
  });
});
