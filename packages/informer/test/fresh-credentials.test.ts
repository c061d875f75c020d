import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap } from "@typekube/api/core/v1";
import { createInformer } from "@typekube/informer";
import { connect } from "typekube";
import { expect, it } from "vitest";
import { bookmark, status } from "./wire-events.js";

/**
 * Creates a server that accepts one token, which changes when the first watch ends. It records its requests with their
 * tokens.
 */
async function serverOfTokens(onChange: (file: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "typekube-"));
  const file = join(folder, "token");
  await writeFile(file, "old");
  let token = "old";
  const requested: string[] = [];
  const server = createServer(async (request, response) => {
    const isWatch = request.url?.includes("watch=true");
    const shown = request.headers.authorization?.replace("Bearer ", "");
    requested.push(`${isWatch ? "watch" : "list"} ${shown}`);
    const isKnown = shown === token;
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    if (!isKnown) {
      response.end(JSON.stringify(status(401, "Unauthorized")));
    } else if (!isWatch) {
      const metadata = { resourceVersion: "5" };
      response.end(
        JSON.stringify({ kind: "ConfigMapList", apiVersion: "v1", metadata, items: [] }),
      );
    } else {
      const version = token === "old" ? 6 : 7;
      const { object } = bookmark(version);
      const event = { type: "BOOKMARK", object: { ...(object as object), kind: "ConfigMap" } };
      response.write(`${JSON.stringify(event)}\n`);
      if (token === "old") {
        token = "new";
        await onChange(file);
        response.end();
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const client = await connect({
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tokenFile: file,
    transportOptions: { credentialsOverHttp: true },
  });
  return {
    requested,
    client,
    file,
    async [Symbol.asyncDispose]() {
      await client.close();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true });
    },
  };
}

it("R36 [+]: after 401 at the start of a watch, rereads the token and retries at once, without a list or an error", async () => {
  await using server = await serverOfTokens((file) => writeFile(file, "new"));
  const errors: unknown[] = [];
  await using informer = createInformer(server.client, ConfigMap, {
    streamingList: false,
    onError: (error) => errors.push(error),
  });
  await informer.caughtUpTo("7", { timeoutMs: 10_000 });
  expect(server.requested).toEqual(["list old", "watch old", "watch old", "watch new"]);
  expect(errors).toEqual([]);
});

it("N17: retries from the same resourceVersion until there is a fresh token", async () => {
  await using server = await serverOfTokens((file) => rm(file));
  const errors: string[] = [];
  await using informer = createInformer(server.client, ConfigMap, {
    streamingList: false,
    backoff: { initialMs: 1, maxMs: 1 },
    onError: ({ code }) => {
      errors.push(code);
      if (errors.length === 3) {
        void writeFile(server.file, "new");
      }
    },
  });
  await informer.caughtUpTo("7", { timeoutMs: 10_000 });
  expect(new Set(errors)).toEqual(new Set(["Unauthorized"]));
  expect(server.requested.filter((one) => one.startsWith("list"))).toEqual(["list old"]);
  expect(server.requested.at(-1)).toBe("watch new");
});
