import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";
import { embeddedSubject } from "../subjects/embedded.js";
import { namespace, Writer } from "../writer.js";

/** What `idleMs` is by default: when the clock jumps, nobody can know how much of it was over. */
const idleMs = 75_000;
/** To watch anew. */
const marginMs = 5_000;

it("N2: a dead watch is found within twice idleMs although the clock was set back meanwhile", async () => {
  await using subject = await embeddedSubject(1);
  const writer = new Writer(subject.writer);
  await writer.prepare(3);
  const { client, weather } = subject.ways.streaming;
  await using informer = client.informer(ConfigMap, { namespace });
  await subject.until(() => informer.isSynced);
  weather.add({ kind: "half-open-body", bytes: 0 });
  await writer.put(1);
  await subject.pass(0);
  subject.jumpClock(-86_400_000);
  await subject.pass(2 * idleMs + marginMs);
  expect(informer.resourceVersion).toBe(writer.lastVersion);
});
