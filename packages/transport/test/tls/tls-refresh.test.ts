import { channel } from "node:diagnostics_channel";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesOf, get } from "@typekube/test-support/calls";
import { manualClock } from "@typekube/test-support/manual-clock";
import { expect, test } from "vitest";
import { followTlsFiles, tlsFilesCheckMs, withTlsFiles } from "../../src/tls/tls-files.js";

test("publishes changed TLS files on typekube:auth.refresh, but not checks without a change", async () => {
  const received: unknown[] = [];
  const listener = (message: unknown) => void received.push(message);
  channel("typekube:auth.refresh").subscribe(listener);
  const folder = await mkdtemp(join(tmpdir(), "typekube-tls-"));
  try {
    const ca = join(folder, "ca.pem");
    await writeFile(ca, "one");
    const clock = manualClock();
    const followed = followTlsFiles({ ca }, { ca: "one" }, clock);
    const send = withTlsFiles(followed, () => {})(async () => ({
      status: 200,
      headers: {},
      body: bytesOf(),
    }));
    await send(get());
    clock.advance(tlsFilesCheckMs);
    await send(get());
    expect(received).toEqual([]);
    await writeFile(ca, "canary");
    clock.advance(tlsFilesCheckMs);
    await send(get());
    const event = { source: "tls-files", reason: "changed", ok: true };
    expect(received).toEqual([{ ...event, credentials: {} }]);
  } finally {
    channel("typekube:auth.refresh").unsubscribe(listener);
    await rm(folder, { recursive: true });
  }
});
