import { describe, expect, test } from "vitest";
import { podState, restartsText } from "../src/kinds/core/pod/pod-state.js";

const started = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const waiting = (reason: string) => ({ waiting: { reason } });
const ended = (exitCode: number, more: object = {}) => ({ terminated: { exitCode, ...more } });
const last = { terminated: { exitCode: 1, finishedAt: "2026-01-01T00:00:00Z" } };

function pod(status: object, spec: object = {}, metadata: object = {}) {
  return { metadata, spec: { containers: [{ name: "a" }, { name: "b" }], ...spec }, status };
}

const inits = { initContainers: [{ name: "i" }, { name: "j" }] };
const sidecar = { initContainers: [{ name: "i", restartPolicy: "Always" }, { name: "j" }] };
const initialized = [
  { type: "Initialized", status: "True" },
  { type: "Ready", status: "True" },
];

describe("TAB1: status column of a pod", () => {
  test.each([
    ["Pending", "0/2", pod({ phase: "Pending" })],
    [
      "Running",
      "2/2",
      pod({
        phase: "Running",
        containerStatuses: [
          { ready: true, state: started },
          { ready: true, state: started },
        ],
      }),
    ],
    [
      "CrashLoopBackOff",
      "1/2",
      pod({
        phase: "Running",
        containerStatuses: [
          { state: waiting("CrashLoopBackOff") },
          { ready: true, state: started },
        ],
      }),
    ],
    [
      "Completed",
      "0/2",
      pod({
        phase: "Succeeded",
        containerStatuses: [{ state: ended(0, { reason: "Completed" }) }],
      }),
    ],
    ["ExitCode:3", "0/2", pod({ phase: "Failed", containerStatuses: [{ state: ended(3) }] })],
    [
      "Signal:9",
      "0/2",
      pod({ phase: "Failed", containerStatuses: [{ state: ended(0, { signal: 9 }) }] }),
    ],
    [
      "NotReady",
      "1/2",
      pod({
        phase: "Running",
        containerStatuses: [
          { state: ended(0, { reason: "Completed" }) },
          { ready: true, state: started },
        ],
      }),
    ],
    [
      "Init:0/2",
      "0/2",
      pod({ phase: "Pending", initContainerStatuses: [{ name: "i", state: started }] }, inits),
    ],
    [
      "Init:CrashLoopBackOff",
      "0/2",
      pod(
        {
          phase: "Pending",
          initContainerStatuses: [
            { name: "i", state: ended(0) },
            { name: "j", state: waiting("CrashLoopBackOff") },
          ],
        },
        inits,
      ),
    ],
    [
      "Init:ExitCode:2",
      "0/2",
      pod({ phase: "Pending", initContainerStatuses: [{ name: "i", state: ended(2) }] }, inits),
    ],
    [
      "Init:1/2",
      "1/3",
      pod(
        {
          phase: "Pending",
          initContainerStatuses: [
            { name: "i", ready: true, started: true, state: started },
            { name: "j", state: started },
          ],
        },
        sidecar,
      ),
    ],
    [
      "Running",
      "3/3",
      pod(
        {
          phase: "Running",
          conditions: initialized,
          initContainerStatuses: [
            { name: "i", ready: true, started: true, state: started },
            { name: "j", state: ended(0) },
          ],
          containerStatuses: [
            { ready: true, state: started },
            { ready: true, state: started },
          ],
        },
        sidecar,
      ),
    ],
    ["Evicted", "0/2", pod({ phase: "Failed", reason: "Evicted" })],
    [
      "Terminating",
      "0/2",
      pod({ phase: "Running" }, {}, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    ],
    [
      "Unknown",
      "0/2",
      pod(
        { phase: "Running", reason: "NodeLost" },
        {},
        { deletionTimestamp: "2026-01-01T00:00:00Z" },
      ),
    ],
    [
      "SchedulingGated",
      "0/2",
      pod({
        phase: "Pending",
        conditions: [{ type: "PodScheduled", status: "False", reason: "SchedulingGated" }],
      }),
    ],
  ])("shows a pod in the state %s with %s ready containers", (reason, ready, object) => {
    const state = podState(object);
    expect([state.reason, `${state.ready}/${state.containers}`]).toEqual([reason, ready]);
  });

  test("counts restarts and shows the age of the last one", () => {
    const status = {
      phase: "Running",
      containerStatuses: [{ restartCount: 2, lastState: last }, { restartCount: 1 }],
    };
    const now = Date.parse("2026-01-01T00:05:00Z");
    expect(restartsText(podState(pod(status)), now)).toBe("3 (5m ago)");
    expect(restartsText(podState(pod({ phase: "Running" })), now)).toBe("0");
  });
});
