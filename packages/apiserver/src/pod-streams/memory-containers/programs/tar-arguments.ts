import { UsageError } from "./program.js";

/** Command line of tar. */
export interface TarArguments {
  readonly action: "create" | "extract" | "list";
  /** Directory to which names are relative. */
  readonly directory: string;
  readonly isGzip: boolean;
  /** Archives what links lead to. */
  readonly follows: boolean;
  /** Sets times to the present. */
  readonly isTouching: boolean;
  readonly names: readonly string[];
}

const actions = { c: "create", x: "extract", t: "list" } as const;

/** Options without effect here: modes are kept and owners are not, in any case; the archive is always a pipe. */
const withoutEffect = "opv";

/**
 * Reads the command line. The first word may be options without a dash, as in `tar cf - file`.
 *
 * @throws {UsageError} for unknown options, no action, or an archive that is a file.
 */
export function readTarArguments(args: readonly string[]): TarArguments {
  const [first = "", ...others] = args;
  const words = first !== "" && !first.startsWith("-") ? [`-${first}`, ...others] : [...args];
  const flags = new Set<string>();
  const names: string[] = [];
  let directory = ".";
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--") {
      names.push(...words.splice(0));
    } else if (word.startsWith("--")) {
      assertLongOption(word);
    } else if (word.startsWith("-") && word !== "-") {
      for (const letter of word.slice(1)) {
        flags.add(letter);
        if (letter === "C") {
          directory = words.shift() ?? "";
        } else if (letter === "f" && words.shift() !== "-") {
          throw new UsageError("the archive must be -, the input or output");
        }
      }
    } else {
      names.push(word);
    }
  }
  const unknown = [...flags].find((letter) => !`${withoutEffect}cxtfCzhm`.includes(letter));
  if (unknown !== undefined) {
    throw new UsageError(`unrecognized option: ${unknown}`);
  }
  const [letter] = (["c", "x", "t"] as const).filter((one) => flags.has(one));
  if (letter === undefined) {
    throw new UsageError("one of the options c, x and t is needed");
  }
  return {
    action: actions[letter],
    directory,
    isGzip: flags.has("z"),
    follows: flags.has("h"),
    isTouching: flags.has("m"),
    names,
  };
}

/** kubectl has two long options, whose effect a container in memory has anyway. */
function assertLongOption(word: string): void {
  if (word !== "--no-same-owner" && word !== "--no-same-permissions") {
    throw new UsageError(`unrecognized option: ${word}`);
  }
}
