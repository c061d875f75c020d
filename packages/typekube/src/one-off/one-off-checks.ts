import type { ClientCore } from "@typekube/client";
import { contextOf, type loadSessions } from "@typekube/client/internal";
import { KubeError } from "@typekube/core";
import { assertOptions, callScope, type OptionCheck } from "@typekube/core/internal";
import type { DebugSessionOptions, RunPodSessionOptions } from "./one-off-options.js";

const commandWords: OptionCheck = {
  mustBe: "an array of at least one word",
  hint: 'such as ["ls", "-l"]; a shell is a command, too: ["sh", "-c", script]',
  isValid: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string"),
};

/**
 * Validates options that are those of exec, except for those without a meaning here.
 *
 * @param more - names and checks of others.
 * @throws {KubeError} `InvalidArgument` that names the option; for a client whose writes are dry runs.
 */
export function assertOneOff(
  client: ClientCore,
  call: "debug()" | "runPod()",
  options: DebugSessionOptions | RunPodSessionOptions,
  { execOptions }: Awaited<ReturnType<typeof loadSessions>>,
  more: Readonly<Record<string, OptionCheck>> = {},
): void {
  const { onAbort, stderr, stdout, verifyOutput, waitReady, ...table } = execOptions;
  assertOptions(call, options, { ...table, command: commandWords, ...more });
  if ((callScope()?.dryRun ?? contextOf(client).defaults.dryRun) !== undefined) {
    throw new KubeError("InvalidArgument", `${call}: a dry run would start no container`, {
      hint: "use a client without the default dryRun",
    });
  }
  if (options.size !== undefined && options.tty !== true) {
    throw new KubeError("InvalidArgument", "size: needs tty: true");
  }
}
