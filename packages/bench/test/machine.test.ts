import { expect, it } from "vitest";
import { launchSources } from "../src/launch.js";
import { describeMachine, machineText } from "../src/machine.js";

it("a run reports its machine and the versions it compared", () => {
  const machine = describeMachine(launchSources());
  expect(machine.node).toBe(process.versions.node);
  expect(machine.versions["undici"]).toMatch(/^\d+\.\d+\.\d+$/);
  expect(machine.versions["client-go"]).toMatch(/^0\.\d+\.\d+$/);
  expect(machine.versions["controller-runtime"]).toMatch(/^0\.\d+\.\d+$/);
  const text = machineText({ ...machine, versions: { ...machine.versions, Go: undefined } });
  expect(text).toContain(`client-go ${machine.versions["client-go"]}, controller-runtime`);
  expect(text).toContain(", Go missing");
});
