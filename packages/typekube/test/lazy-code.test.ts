import { startApiServer } from "@typekube/apiserver";
import { expect, test, vi } from "vitest";

const loaded: string[] = [];
vi.mock(import("../../transport/src/connections/connections.js"), async (original) => {
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

test("loads code with the first request that needs it: connections, then each encoding", async () => {
  const { connect } = await import("typekube");
  await using client = await connect({ server: "http://127.0.0.1:9" });
  expect(loaded).toEqual([]);
  // The connection to the port of the discard protocol is refused.
  await expect(client.version()).rejects.toThrow();
  expect(loaded).toEqual(["connections"]);
});

test("an embedded server has loaded its encodings once it has started", async () => {
  await using _server = await startApiServer();
  expect(loaded).toEqual(expect.arrayContaining(["cbor", "protobuf"]));
  expect(loaded).not.toContain("yaml");
});
