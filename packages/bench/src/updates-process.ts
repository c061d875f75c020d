import { fork } from "node:child_process";
import { once } from "node:events";
import type { Launch } from "./launch.js";
import { inputEnvironment, type ProcessInput } from "./process-input.js";

/** Starts updates of all ConfigMaps of a server in another process, which end when they are disposed. */
export function startUpdates(
  launch: Launch,
  place: Pick<ProcessInput, "caFile" | "token" | "url">,
  configMaps: number,
  perSecond: number,
): AsyncDisposable {
  const input = { ...place, count: configMaps, variant: String(perSecond) };
  const child = fork(launch.file("updates"), [input.url, String(input.count), input.variant], {
    execPath: launch.node,
    execArgv: [...launch.nodeArguments],
    env: { ...process.env, ...inputEnvironment(input) },
  });
  const exited = once(child, "exit");
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await exited;
    },
  };
}
