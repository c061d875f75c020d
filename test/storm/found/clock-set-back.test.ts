import { ConfigMap } from "typekube/api/core/v1";
import { expect, it } from "vitest";
import { embeddedSubject } from "../subjects/embedded.js";
import { namespace, Writer } from "../writer.js";

/** Default of `idleMs`. When the clock jumps, the informer cannot know how much of it had passed. */
const idleMs = 75_000;
/** Milliseconds for the new watch. */
const marginMs = 5_000;

it("N2: detects a dead watch within twice idleMs although the clock was set back", async () => {
  await using subject = await embeddedSubject(1);
  const writer = new Writer(subject.writer);
  await writer.prepare(3);
  const { client, weather: conditions } = subject.ways.streaming;
  await using informer = client.informer(ConfigMap, { namespace });
  await subject.until(() => informer.isSynced);
  conditions.add({ kind: "half-open-body", bytes: 0 });
  await writer.put(1);
  await subject.pass(0);
  subject.jumpClock(-86_400_000);
  await subject.pass(2 * idleMs + marginMs);
  expect(informer.resourceVersion).toBe(writer.lastVersion);
});
