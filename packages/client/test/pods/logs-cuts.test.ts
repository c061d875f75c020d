import { Pod } from "@typekube/api/core/v1";
import { KubeError } from "@typekube/core";
import type { HttpSend } from "@typekube/core/internal";
import { manualClock } from "@typekube/test-support/manual-clock";
import { statusResponse } from "@typekube/test-support/scripted-server";
import { seededRandom } from "@typekube/test-support/seeded-random";
import { Client } from "typekube/internal";
import { expect, it } from "vitest";

const rounds = 300;

/** A log of about 40 lines: few different times, some of them out of order, lines of any bytes. */
function randomLog(random: () => number): { readonly time: string; readonly text: string }[] {
  let nanos = 0;
  return Array.from({ length: 40 }, (_, at) => {
    nanos += random() < 0.4 ? 0 : Math.floor(random() * 400_000_000);
    const jitter = random() < 0.1 && nanos > 5 ? 5 : 0;
    const second = new Date(Math.floor((nanos - jitter) / 1e9) * 1_000).toISOString().slice(0, 19);
    const fraction = String((nanos - jitter) % 1e9).padStart(9, "0");
    return {
      time: `${second}.${fraction}Z`,
      text: `${at} ${"é€🎉".repeat(Math.floor(random() * 4))}`,
    };
  });
}

it("XL4: whatever bytes a log is cut off at, and however often, each line comes once and in order", async () => {
  const random = seededRandom(7);
  for (let round = 0; round < rounds; round++) {
    const log = randomLog(random);
    let cuts = 6;
    const send: HttpSend = async ({ path }) => {
      const [place = "", query] = path.split("?");
      const isLog = place.endsWith("/log");
      const sinceTime = new URLSearchParams(query).get("sinceTime")?.slice(0, 19) ?? "";
      const body = isLog
        ? log
            .filter(({ time }) => time >= sinceTime)
            .map(({ time, text }) => `${time} ${text}\n`)
            .join("")
        : JSON.stringify(statusResponse(403, "Forbidden").body);
      const bytes = Buffer.from(body);
      const isCut = isLog && cuts-- > 0;
      const end = isCut ? Math.floor(random() * (bytes.byteLength + 1)) : bytes.byteLength;
      return {
        status: isLog ? 200 : 403,
        headers: { "content-type": isLog ? "text/plain" : "application/json" },
        body: (async function* () {
          const size = 1 + Math.floor(random() * 100);
          for (let at = 0; at < end; at += size) {
            yield bytes.subarray(at, Math.min(at + size, end));
          }
          if (isCut) {
            throw new KubeError("ConnectionReset", "read ECONNRESET");
          }
        })(),
      };
    };
    const clock = manualClock();
    const client = new Client({ server: "http://cuts", send, clock });
    const lines: string[] = [];
    const warnings: string[] = [];
    const options = {
      follow: true,
      container: "c",
      onWarning: (text: string) => warnings.push(text),
    };
    let isOver = false;
    const read = (async () => {
      for await (const line of client.resource(Pod, "p").named("x").logs(options)) {
        lines.push(line);
      }
    })().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(5_000);
    }
    await read;
    expect([round, lines]).toEqual([round, log.map(({ text }) => text)]);
    expect(warnings).toEqual([]);
  }
});
