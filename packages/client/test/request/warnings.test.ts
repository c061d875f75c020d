import { Pod } from "@typekube/api/core/v1";
import { ScriptedServer } from "@typekube/test-support/scripted-server";
import { afterEach, describe, expect, it } from "vitest";
import { readWarning, setDefaultWarningHandler } from "../../src/index.js";
import { maxRememberedWarnings } from "../../src/request/warnings.js";

const pod = { kind: "Pod", apiVersion: "v1", metadata: { name: "a", namespace: "prod" } };
const warned = {
  headers: { warning: '299 - "old", 299 - "old", 299 - "unknown field"' },
  body: pod,
};

afterEach(() => setDefaultWarningHandler(undefined));

function hearing(received: string[], name: string) {
  return { onWarning: (text: string) => void received.push(`${name}: ${text}`) };
}

it("MIG42: one handler collects the deprecated kinds in use by group-version", async () => {
  const used = new Map<string, string[]>();
  const onWarning = (text: string) => {
    const warning = readWarning(text);
    if (warning.type === "deprecated") {
      used.set(warning.apiVersion, [...(used.get(warning.apiVersion) ?? []), warning.kind]);
    }
  };
  const deprecated = (what: string) => ({
    headers: { warning: `299 - "${what} is deprecated in v1.33+", 299 - "unknown field"` },
    body: pod,
  });
  const server = new ScriptedServer(
    deprecated("v1 Endpoints"),
    deprecated("batch/v1beta1 CronJob"),
    deprecated("v1 ComponentStatus"),
  );
  const client = server.client().with({ onWarning });
  for (const name of ["a", "b", "c"]) {
    await client.resource(Pod, "prod").get(name);
  }
  expect(Object.fromEntries(used)).toEqual({
    v1: ["Endpoints", "ComponentStatus"],
    "batch/v1beta1": ["CronJob"],
  });
});

describe("H37: the handler of a warning", () => {
  it("is the call's, otherwise the client's, otherwise the program's, and only one of them", async () => {
    const server = new ScriptedServer(warned);
    const received: string[] = [];
    const plain = server.client().resource(Pod, "prod");
    const client = server.client().with(hearing(received, "client")).resource(Pod, "prod");
    await plain.get("a");
    expect(received).toEqual([]);
    setDefaultWarningHandler(hearing(received, "program").onWarning);
    await client.get("a", hearing(received, "call"));
    await client.get("a");
    await plain.get("a");
    expect(received).toEqual([
      "call: old",
      "call: unknown field",
      "client: old",
      "client: unknown field",
      "program: old",
      "program: unknown field",
    ]);
  });

  it("an undefined handler falls back to the next one", async () => {
    const received: string[] = [];
    setDefaultWarningHandler(hearing(received, "program").onWarning);
    const client = new ScriptedServer(warned).client().with({ onWarning: undefined });
    await client.resource(Pod, "prod").get("a", { onWarning: undefined });
    expect(received).toEqual(["program: old", "program: unknown field"]);
  });

  it("a client's handler receives a text once, a call's with each response", async () => {
    const server = new ScriptedServer(warned);
    const received: string[] = [];
    const client = server.client().with(hearing(received, "client"));
    const pods = client.resource(Pod, "prod");
    await pods.get("a");
    await client.with({ dryRun: "All" }).resource(Pod, "prod").get("a");
    await pods.apply({ metadata: { name: "a" } });
    await pods.apply({ metadata: { name: "a" } });
    expect(received).toEqual(["client: old", "client: unknown field"]);
    const ofCall = hearing(received, "call");
    await pods.get("a", ofCall);
    await pods.get("a", ofCall);
    expect(received.slice(2)).toEqual([
      "call: old",
      "call: unknown field",
      "call: old",
      "call: unknown field",
    ]);
  });

  it("texts count per connection, and a limited number is remembered", async () => {
    const received: string[] = [];
    const handler = hearing(received, "client");
    for (const server of [new ScriptedServer(warned), new ScriptedServer(warned)]) {
      await server.client().with(handler).resource(Pod, "prod").get("a");
    }
    expect(received).toHaveLength(4);
    let next = 0;
    const talker = new ScriptedServer(() => ({
      headers: { warning: `299 - "number ${next++ % (maxRememberedWarnings + 1)}"` },
      body: pod,
    }));
    const pods = talker.client().with(handler).resource(Pod, "prod");
    for (let i = 0; i <= maxRememberedWarnings; i += 1) {
      await pods.get("a");
    }
    received.length = 0;
    await pods.get("a");
    expect(received).toEqual(["client: number 0"]);
  });
});
