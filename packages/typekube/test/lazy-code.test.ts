import { startApiServer } from "@typekube/apiserver";
import { expect, test, vi } from "vitest";

const loaded: string[] = [];
vi.mock(import("../../transport/src/connections.js"), async (original) => {
  loaded.push("connections");
  return original();
});
vi.mock(import("../../core/src/codecs/protobuf/codec.js"), async (original) => {
  loaded.push("protobuf");
  return original();
});
vi.mock(import("../../core/src/codecs/cbor/codec.js"), async (original) => {
  loaded.push("cbor");
  return original();
});
vi.mock(import("../../core/src/codecs/yaml/codec.js"), async (original) => {
  loaded.push("yaml");
  return original();
});

test("code is loaded with the first request that needs it: connections, then each encoding", async () => {
  const { connect } = await import("typekube");
  const { ConfigMap } = await import("typekube/api/core/v1");
  await using server = await startApiServer();
  const listener = await server.listen();
  await using client = await connect({ server: listener.url });
  expect(loaded).toEqual([]);
  await client.version();
  expect(loaded).toEqual(["connections"]);
  await client.resource(ConfigMap).list();
  expect(loaded).toEqual(["connections", "protobuf"]);
});
