import { startApiServer } from "@typekube/apiserver";
import { collectBytes, type HttpSend } from "@typekube/core/internal";
import { findAssets } from "@typekube/test-support/real-server/assets";
import { type RealServer, startRealServer } from "@typekube/test-support/real-server/real-server";
import { bearerToken, createTransport, type Transport } from "@typekube/transport";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { documentProtobuf } from "../../packages/apiserver/src/server/openapi/document-protobuf.js";

const hasReal = (await findAssets()) !== undefined;
const spec = "application/com.github.proto-openapi.spec";
const maxBytes = 16 * 1024 * 1024;

async function get(send: HttpSend, path: string, accept?: string) {
  const headers = accept === undefined ? {} : { accept };
  const {
    status,
    headers: received,
    body,
  } = await send({ method: "GET", path, headers, mode: "call" });
  const bytes = Buffer.from(await collectBytes(body, maxBytes, "maxBodyBytes"));
  return { status, headers: received, bytes };
}

describe.runIf(hasReal)("OpenAPI as on a real server", () => {
  let server: RealServer;
  let real: Transport;

  beforeAll(async () => {
    server = (await startRealServer()) as RealServer;
    const { server: url, ca, token } = server.connectOptions();
    real = createTransport({ server: url, tls: { ca }, auth: bearerToken(token) });
  });
  afterAll(async () => {
    await real?.close();
    await server?.close();
  });

  test("ES19: encodes every document of a real server in protobuf byte for byte", async () => {
    const index = JSON.parse((await get(real.send, "/openapi/v3")).bytes.toString());
    const urls = Object.values<{ serverRelativeURL: string }>(index.paths);
    expect(urls.length).toBeGreaterThan(40);
    for (const { serverRelativeURL: url } of urls) {
      const document = JSON.parse((await get(real.send, url, "application/json")).bytes.toString());
      const { bytes } = await get(real.send, url, `${spec}.v3@v1.0+protobuf`);
      expect([url, bytes.equals(documentProtobuf(document))]).toEqual([url, true]);
    }
  });

  test("ES19: Accept headers select the same format or error", async () => {
    await using api = await startApiServer();
    const accepts = [
      undefined,
      "*/*",
      "application/*",
      "text/*",
      "text/html",
      "application/json",
      "application/json;as=x",
      "application/yaml",
      "application/vnd.kubernetes.protobuf",
      ...["v2", "v3"].flatMap((version) => [
        `${spec}.${version}@v1.0+protobuf`,
        `${spec}.${version}.v1.0+protobuf`,
        `${spec}.${version}.v1.0+protobuf, application/json`,
        `application/json;q=0.5, ${spec}.${version}.v1.0+protobuf`,
      ]),
    ];
    const paths = ["/openapi/v2", "/openapi/v3", "/openapi/v3/", "/openapi/v3/nothing"];
    const documents = ["/openapi/v3/apis/batch/v1", "/openapi/v3/apis/batch/v1?hash=WRONG"];
    for (const path of [...paths, ...documents]) {
      for (const accept of accepts) {
        const [own, other] = await Promise.all(
          [api.send, real.send].map(async (send) => {
            const { status, headers } = await get(send, path, accept);
            const { "content-type": type, "cache-control": cache, vary, location } = headers;
            // Hashes differ between servers.
            const moved = location?.replace(/=.*/, "=");
            return { path, accept, status, type, cache, vary, moved, isTagged: "etag" in headers };
          }),
        );
        expect(own).toEqual(other);
      }
    }
  });
});
