import { KubeError } from "../errors/kube-error.js";
import { nearestName } from "./nearest-name.js";

/** Longest list of option names that a message includes. */
const maxNamesListed = 20;

/**
 * Rejects unknown options. A misspelled selector would select everything; a misspelled `dryRun` would really write. The
 * compiler checks only options written in the call, not objects built elsewhere. An `undefined` option counts as
 * omitted.
 *
 * @param call - name of the call, for the message.
 * @param names - object whose keys are the known options.
 * @throws {KubeError} `InvalidArgument` that names the unknown option and, as a hint, the nearest known one.
 */
export function assertKnownOptions(call: string, options: object, names: object): void {
  for (const name in options) {
    if (!Object.hasOwn(names, name) && options[name as keyof typeof options] !== undefined) {
      throw unknownOption(call, name, Object.keys(names).sort());
    }
  }
}

function unknownOption(call: string, name: string, names: readonly string[]): KubeError {
  const meant = nearestName(name, names);
  const all = names.length <= maxNamesListed ? `known options: ${names.join(", ")}` : undefined;
  return new KubeError("InvalidArgument", `${call} has no option "${name}"`, {
    hint: meant === undefined ? all : `did you mean ${meant}?`,
  });
}
