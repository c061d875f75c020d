import { describe, expect, test } from "vitest";
import { CallMemory } from "../../src/time/call-memory.js";
import { PendingCall, withPendingCalls } from "../../src/time/pending-call.js";

describe("steps that wait for calls", () => {
  test("CT9: a step is run again after each call, and finds all outcomes so far", async () => {
    const memory = new CallMemory<number>();
    const calls: string[] = [];
    const outcomeOf = (key: string) => {
      const outcome = memory.outcome({
        key,
        async call() {
          calls.push(key);
          return key.length;
        },
      });
      return outcome.ok ? outcome.value : Number.NaN;
    };
    let attempts = 1;
    const sum = await withPendingCalls(
      () => outcomeOf("a") + outcomeOf("bb") + outcomeOf("a"),
      () => {
        attempts += 1;
      },
    );
    expect([sum, calls, attempts]).toEqual([4, ["a", "bb"], 3]);
  });

  test("CT9: the failure of a call is an outcome, too", async () => {
    const memory = new CallMemory<number>();
    const call = () => Promise.reject(new Error("no"));
    const outcome = await withPendingCalls(() => memory.outcome({ key: "a", call }));
    expect(outcome).toEqual({ ok: false, error: new Error("no") });
  });

  test("CT9: calls that are required together are made at the same time", async () => {
    const memory = new CallMemory<string>();
    let release = () => {};
    const both = new Promise<void>((resolve) => {
      release = resolve;
    });
    let running = 0;
    const call = async () => {
      running += 1;
      if (running === 2) {
        release();
      }
      await both;
      return "done";
    };
    await withPendingCalls(() =>
      memory.require([
        { key: "a", call },
        { key: "b", call },
      ]),
    );
    expect(running).toBe(2);
  });

  test("CT9: an error that is no pending call ends the step at once", async () => {
    let attempts = 0;
    const step = () => {
      attempts += 1;
      throw new Error("broken");
    };
    await expect(withPendingCalls(step)).rejects.toThrow("broken");
    expect(attempts).toBe(1);
  });

  test("CT9: a step that always needs another call ends after a number of attempts", async () => {
    let attempts = 0;
    const step = () => {
      attempts += 1;
      throw new PendingCall(async () => {});
    };
    await expect(withPendingCalls(step)).rejects.toThrow(PendingCall);
    expect(attempts).toBe(1_000);
  });
});
