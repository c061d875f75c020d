import { channel } from "node:diagnostics_channel";
import { Pod } from "@typekube/api/core/v1";
import { podPage, ScriptedServer, statusResponse } from "@typekube/test-support/scripted-server";
import { expect, it } from "vitest";

it("publishes each downgrade once on typekube:decode.downgrade", async () => {
  const received: unknown[] = [];
  const listener = (message: unknown) => void received.push(message);
  channel("typekube:decode.downgrade").subscribe(listener);
  try {
    const server = new ScriptedServer(
      statusResponse(406, "NotAcceptable"),
      podPage([]),
      podPage([]),
      statusResponse(415, "UnsupportedMediaType"),
      { body: { kind: "Pod", apiVersion: "v1", metadata: { name: "a", namespace: "prod" } } },
    );
    const pods = server.client().resource(Pod, "prod");
    await pods.list();
    await pods.list();
    await pods.create({ metadata: { name: "a" } }, { encoding: "protobuf" });
  } finally {
    channel("typekube:decode.downgrade").unsubscribe(listener);
  }
  const about = { apiVersion: "v1", resource: "pods", from: "protobuf", to: "json" };
  expect(received).toEqual([
    { ...about, bodies: "responses", reason: "NotAcceptable" },
    { ...about, bodies: "requests", reason: "UnsupportedMediaType" },
  ]);
});
