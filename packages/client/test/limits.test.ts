import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { ConfigMap } from "@typekube/api/core/v1";
import type { Limits } from "@typekube/core/internal";
import { failure } from "@typekube/test-support/failure";
import { connect } from "typekube";
import { describe, expect, it } from "vitest";
import { all } from "./helpers/all.js";

const json = { "content-type": "application/json" };
const endless = "x".repeat(50_000);
const fine = JSON.stringify({ kind: "ConfigMap", apiVersion: "v1", metadata: { name: "fine" } });
const listHead = '{"kind":"ConfigMapList","apiVersion":"v1","metadata":{},"items":[';

/** Responses to the first call; none of them ends. */
const peers: Record<string, (response: ServerResponse) => void> = {
  "a list item without end": (response) => {
    response.writeHead(200, json);
    pour(response, `${listHead}{"metadata":{"name":"`, endless);
  },
  "a watch event without end": (response) => {
    response.writeHead(200, json);
    pour(response, '{"type":"ADDED","object":{"data":{"a":"', endless);
  },
  "a body without end": (response) => {
    response.writeHead(200, json);
    pour(response, '{"data":{"a":"', endless);
  },
  "a list that nests without end": (response) => {
    response.writeHead(200, json);
    response.write(`${listHead}{"a":${"[".repeat(40_000)}${"]".repeat(40_000)}},{`);
  },
  "a gzip bomb": (response) => {
    response.writeHead(200, { ...json, "content-encoding": "gzip" });
    response.write(gzipSync(Buffer.alloc(4_000_000, "a")));
  },
};

function pour(response: ServerResponse, first: string, rest: string): void {
  response.write(first);
  const more = () => {
    while (!response.destroyed && response.write(rest)) {
      // Writes until the socket is full.
    }
  };
  response.on("drain", more);
  more();
}

/** Starts a server that misbehaves on the first request and is an API server afterwards. */
async function misbehaving(
  peer: (response: ServerResponse) => void,
): Promise<{ server: Server; url: string; closed: Promise<unknown> }> {
  let calls = 0;
  let closed: () => void = () => {};
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const server = createServer((_, response) => {
    if (calls++ === 0) {
      response.socket?.on("close", closed);
      peer(response);
    } else {
      response.writeHead(200, json).end(fine);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed: whenClosed,
  };
}

describe("endless responses", () => {
  it.each([
    ["a list item without end", "maxObjectBytes", "list"],
    ["a watch event without end", "maxObjectBytes", "watch"],
    ["a body without end", "maxBodyBytes", "get"],
    ["a list that nests without end", "maxDepth", "list"],
    ["a gzip bomb", "maxInflatedBytes", "get"],
  ] as const)(
    "%s fails as TooLarge by %s, closes the connection and affects no other call",
    async (name, limit, call) => {
      const { server, url, closed } = await misbehaving(
        peers[name] as (response: ServerResponse) => void,
      );
      const limits: Partial<Limits> = limit === "maxDepth" ? {} : { [limit]: 200_000 };
      await using client = await connect({ server: url, defaults: { limits, encoding: "json" } });
      const configMaps = client.resource(ConfigMap, "default");
      const calls = {
        get: () => configMaps.get("a"),
        list: () => configMaps.list(),
        watch: () => all(configMaps.watch()),
      };
      const error = await failure(calls[call]());
      expect(error).toMatchObject({ code: "TooLarge", message: expect.stringContaining(limit) });
      expect(error.hint).toContain(`limits.${limit}`);
      await closed;
      expect((await configMaps.get("fine")).metadata.name).toBe("fine");
      server.close();
      server.closeAllConnections();
    },
  );
});
