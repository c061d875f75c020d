import { startApiServer } from "@typekube/apiserver";
import type { HttpSend } from "@typekube/core/internal";
import { connect } from "typekube";
import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";
import { refusalResponse, resumes } from "../faults/status-response.js";
import { namespace, Writer } from "../writer.js";

const aWhileMs = 1_800_000;

// After a restart, a real server still has old resourceVersions in etcd, but its watch cache starts at the newest one.
it("an informer with a page size recovers from a watch that expires at a resourceVersion that can still be listed", async () => {
  await using api = await startApiServer({ clock: "virtual" });
  let watchFloor = 0;
  const send: HttpSend = (request) => {
    const version = new URLSearchParams(request.path.split("?")[1]).get("resourceVersion");
    return resumes(request.path) && Number(version) < watchFloor
      ? refusalResponse("410-event")
      : api.send(request);
  };
  await using client = await connect({
    transport: { send, server: api.server },
    clock: api.clock,
  });
  const writer = new Writer(await api.client());
  await writer.prepare(3);
  const options = { namespace, streamingList: false, pageSize: 1 };
  await using informer = client.informer(ConfigMap, options);
  await api.clock.advance(1_000);
  expect(informer.isSynced).toBe(true);
  await writer.put(1);
  await api.clock.advance(1_000);

  api.dropWatches();
  await writer.put(1);
  watchFloor = Number(writer.lastVersion);
  await api.clock.advance(aWhileMs);
  expect(informer.resourceVersion).toBe(writer.lastVersion);
});
