import { setImmediate as turn } from "node:timers/promises";
import { systemClock } from "@typekube/core/internal";
import { get, text } from "@typekube/test-support/calls";
import { fixture, httpServer } from "@typekube/test-support/servers";
import { expect, test } from "vitest";
import { bearerToken, createTransport, type TransportOptions } from "../src/index.js";
import { http2Server } from "./helpers/http2-server.js";

const collected = new Set<string>();
const registry = new FinalizationRegistry<string>((name) => collected.add(name));

/** Creates a transport that is never closed. It is tracked by its clock, which everything inside it references. */
async function dropped(name: string, options: TransportOptions, isUsed: boolean): Promise<void> {
  const clock = { ...systemClock };
  registry.register(clock, name);
  const auth = bearerToken("token");
  registry.register(auth, `${name} credentials`);
  const transport = createTransport({ ...options, clock, auth, credentialsOverHttp: true });
  if (isUsed) {
    await text(await transport.send(get()));
    const watch = await transport.send(get({ path: "/api?watch=1", mode: "stream" }));
    await text(watch);
  }
}

async function collect(count: number): Promise<string[]> {
  for (let round = 0; round < 200 && collected.size < count; round += 1) {
    globalThis.gc?.();
    await turn();
  }
  return [...collected].sort();
}

test("S10: clients that were never closed are collected, with credentials, timers and connections", async () => {
  await using plain = await httpServer((_request, response) => response.end("{}"));
  await using secure = await http2Server((_request, response) => response.end("{}"));
  const tls = { ca: fixture("ca.pem") };
  await dropped("unused", { server: plain.url }, false);
  await dropped("http/1.1", { server: plain.url }, true);
  await dropped("auto", { server: secure.url, tls }, true);
  await dropped("http/2", { server: secure.url, tls, http2: true }, true);
  await collect(2);
  expect(collected).toContain("unused");
  expect(collected).toContain("unused credentials");
  // Idle connections may keep theirs alive until one side closes them: here the server does.
  await plain[Symbol.asyncDispose]();
  await secure[Symbol.asyncDispose]();
  const names = ["auto", "http/1.1", "http/2", "unused"];
  expect(await collect(8)).toEqual(names.flatMap((name) => [name, `${name} credentials`]).sort());
});
