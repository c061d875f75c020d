import { describe, expect, test } from "vitest";
import { createVirtualClock } from "../src/index.js";

describe("virtual time only moves forward", () => {
  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
    "rejects an advance by %d ms",
    async (time) => {
      const clock = createVirtualClock(0);
      await expect(clock.advance(time)).rejects.toMatchObject({ code: "InvalidArgument" });
      expect(clock.now()).toBe(0);
    },
  );

  test("an advance inside a timer does not make time go back", async () => {
    const clock = createVirtualClock(0);
    let inner: Promise<void> | undefined;
    clock.schedule(1, () => {
      inner = clock.advance(5_000);
    });
    await clock.advance(2);
    await inner;
    expect(clock.now()).toBe(5_001);
    await clock.advance(1);
    expect(clock.now()).toBe(5_002);
  });
});
