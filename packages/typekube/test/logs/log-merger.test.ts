import { manualClock } from "@typekube/test-support/manual-clock";
import { describe, expect, it } from "vitest";
import { LogMerger } from "../../src/logs/log-merger.js";

interface Line {
  readonly time: string;
  readonly text: string;
}

/** `12.5` is 12 seconds and 5 nanoseconds. */
function line(time: number | string, text: string): Line {
  const [second = "", nanos = ""] = String(time).split(".");
  const zone = typeof time === "string" ? "+01:00" : "Z";
  const hour = typeof time === "string" ? "01" : "00";
  return {
    text,
    time: `2026-01-01T${hour}:00:${second.padStart(2, "0")}.${nanos.padStart(9, "0")}${zone}`,
  };
}

async function* source(...batches: Line[][]): AsyncGenerator<Line[], void> {
  yield* batches;
}

function merger(order: "arrival" | "time", isEndless: boolean) {
  const clock = manualClock();
  return { clock, merged: new LogMerger<Line>({ order, isEndless, clock, timeOf: (l) => l.time }) };
}

async function texts(merged: LogMerger<Line>): Promise<string> {
  let all = "";
  for await (const batch of merged.batches()) {
    all += batch.map(({ text }) => text).join("");
  }
  return all;
}

/** Lets everything happen that needs no time. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("order: time", () => {
  it("XL7: merges whole logs by their times, across offsets and to the nanosecond", async () => {
    const { merged } = merger("time", false);
    merged.add(source([line(1, "a"), line(2.2, "d")], [line(9, "f")]), () => {});
    merged.add(source([line("1.1", "b")], [line("2.1", "c"), line("3", "e")]), () => {});
    merged.seal();
    expect(await texts(merged)).toBe("abcdef");
  });

  it("XL7: keeps the order of one container even where its times go back", async () => {
    const { merged } = merger("time", false);
    merged.add(source([line(5, "c"), line(1, "d"), line(6, "f")]), () => {});
    merged.add(source([line(3, "a"), line(4, "b"), line(5.5, "e")]), () => {});
    merged.seal();
    expect(await texts(merged)).toBe("abcdef");
  });

  it("XL7: followed logs wait 200 ms for earlier lines, and no longer", async () => {
    const { clock, merged } = merger("time", true);
    let later = (_: Line[]) => {};
    const coming = new Promise<Line[]>((resolve) => {
      later = resolve;
    });
    merged.add(source([line(5, "b")]), () => {});
    merged.add(
      (async function* () {
        yield await coming;
        await new Promise(() => {});
      })(),
      () => {},
    );
    let seen = "";
    void (async () => {
      for await (const batch of merged.batches()) {
        seen += batch.map(({ text }) => text).join("");
      }
    })();
    await settle();
    clock.advance(199);
    await settle();
    expect(seen).toBe("");
    later([line(4, "a"), line(9, "c")]);
    await settle();
    // The first log has a line and the second one too, so the earlier one needs no waiting.
    expect(seen.startsWith("a")).toBe(true);
    clock.advance(200);
    await settle();
    expect(seen).toBe("abc");
  });
});

describe("order: arrival", () => {
  it("XL7: takes turns, keeps the order of each log, and slows the logs down to the reader", async () => {
    const { merged } = merger("arrival", false);
    let produced = 0;
    const counting = async function* (name: string) {
      for (let at = 0; at < 5; at++) {
        produced += 1;
        yield [line(at, `${name}${at}`)];
      }
    };
    merged.add(counting("x"), () => {});
    merged.add(counting("y"), () => {});
    merged.seal();
    await settle();
    expect(produced).toBe(2);
    expect(await texts(merged)).toBe("x0y0x1y1x2y2x3y3x4y4");
  });

  it("XL7: a log that fails ends all of them with its error", async () => {
    const { merged } = merger("arrival", false);
    merged.add(
      (async function* (): AsyncGenerator<Line[]> {
        yield [line(1, "a")];
        throw new Error("no permission");
      })(),
      () => {},
    );
    await expect(texts(merged)).rejects.toThrow("no permission");
  });

  it("XL7: a log that is added when another ends is part of it", async () => {
    const { merged } = merger("arrival", false);
    merged.add(source([line(1, "a")]), () => merged.add(source([line(2, "b")]), () => {}));
    merged.seal();
    expect(await texts(merged)).toBe("ab");
  });

  it("XL8: close() releases a log that waits for the reader", async () => {
    const { merged } = merger("arrival", true);
    let ended = false;
    merged.add(source([line(1, "a")], [line(2, "b")]), () => {
      ended = true;
    });
    await settle();
    await merged.close();
    expect(ended).toBe(true);
  });
});
