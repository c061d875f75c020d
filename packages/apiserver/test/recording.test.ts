import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap, Secret } from "@typekube/api/core/v1";
import { configMaps, createConfigMaps, watch } from "@typekube/test-support/api-calls";
import { connect } from "typekube";
import { expect, test } from "vitest";
import { readRecording, recordExchanges, replayExchanges, startApiServer } from "../src/index.js";

/** A secret that must not appear in a recording in any form. */
const secretText = "open sesame";
const secretData = Buffer.from(secretText).toString("base64");

test("ES27, ES30: a program behaves against a recording as it did against the cluster", async () => {
  await using api = await startApiServer();
  await createConfigMaps(api, "a");
  const recorder = recordExchanges(api.send);
  const program = async (transport: Pick<typeof api, "send" | "server">) => {
    await using client = await connect({ transport });
    const maps = client.resource(ConfigMap, "default");
    await maps.create({ metadata: { name: "b" }, data: { n: "9007199254740993" } });
    const { items } = await maps.list();
    const missing = await maps.get("none").catch(({ code }) => code);
    return [items, missing];
  };
  const said = await program({ send: recorder.send, server: api.server });
  const folder = await mkdtemp(join(tmpdir(), "typekube-recording-"));
  try {
    const file = join(folder, "session.jsonl");
    await recorder.save(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const replayer = replayExchanges(await readRecording(file));
    expect(await program(replayer)).toEqual(said);
    expect(replayer.unused).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("ES27: records a watch event by event", async () => {
  await using api = await startApiServer();
  const recorder = recordExchanges(api.send);
  const path = `${configMaps}?watch=1&resourceVersion=${api.resourceVersion}`;
  const events = await watch(recorder, path);
  await createConfigMaps(api, "a");
  await events.take(1);
  await createConfigMaps(api, "b");
  await events.take(1);
  await events.stop();
  const replayed = await watch(replayExchanges(recorder.exchanges), path);
  expect(await replayed.take(3)).toEqual(["ADDED a", "ADDED b", "end"]);
});

test("ES27: a recording contains no secrets: no data of Secrets in any form, tokens or credentials", async () => {
  await using api = await startApiServer({ users: [{ name: "jane", token: secretText }] });
  const recorder = recordExchanges(api.send);
  await using client = await connect({
    transport: { send: recorder.send, server: api.server },
    defaults: { encoding: "protobuf" },
  });
  const secrets = client.resource(Secret, "default");
  await secrets.create({ metadata: { name: "s" }, stringData: { key: secretText } });
  await secrets.apply(
    { metadata: { name: "s" }, data: { key: secretData } },
    { fieldManager: "test", force: true },
  );
  await secrets.get("s");
  await secrets.list();
  for await (const { object } of client
    .resource(Secret, "default")
    .watch({ resourceVersion: "0" })) {
    expect(object).toBeDefined();
    break;
  }
  await recorder.send({
    method: "GET",
    path: configMaps,
    headers: { authorization: `Bearer ${secretText}` },
    mode: "call",
  });
  const text = JSON.stringify(recorder.exchanges);
  expect(recorder.exchanges.length).toBeGreaterThanOrEqual(6);
  expect(text).not.toContain(secretText);
  expect(text).not.toContain(secretData);
  expect(text).toContain("bWFza2Vk");
});

test("ES27: reports a request that was never recorded, without its query", async () => {
  const replayer = replayExchanges([]);
  await expect(
    replayer.send({ method: "GET", path: "/version?token=x", headers: {}, mode: "call" }),
  ).rejects.toThrow("the recording has no response to GET /version with this query");
});
