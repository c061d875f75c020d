import { KubeError } from "./kube-error.js";
import { nearestName } from "./nearest-name.js";

/** Names of options. A list of this type must have all that there are, as the compiler sees. */
export type OptionNames<K extends PropertyKey> = Readonly<Record<K, true>>;

/** Names that a message may have before nobody reads them. */
const maxNamesListed = 20;

/**
 * Refuses an option that there is not: a selector that is misspelt would select everything, a `dryRun` would do it. The compiler sees
 * that of options that stand in the call, not of those that were put together elsewhere. One that is `undefined` is not given.
 *
 * @param call - who has no such option, for the message.
 * @param names - those that there are, as its keys.
 * @throws {KubeError} `InvalidArgument` that names it, and the one that may be meant.
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
