import { parseArgs } from "node:util";

/** Options of `typekube generate`, from the command line or from a configuration. */
export interface GenerateCommandOptions {
  readonly cluster: boolean;
  readonly context: string | undefined;
  readonly kubeconfig: string | undefined;
  /** Files, folders and `-` for standard input. */
  readonly from: readonly string[];
  readonly out: string;
  readonly group: readonly string[] | undefined;
  readonly kind: readonly string[] | undefined;
  readonly all: boolean;
  readonly unserved: boolean;
  readonly int64: "bigint" | "number";
  readonly schemas: "json" | "zod" | undefined;
}

/** The command line of `typekube generate`. */
export interface GenerateArguments {
  readonly isHelp: boolean;
  readonly check: boolean;
  /** Generates again after each change in the cluster. */
  readonly watch: boolean;
  /** Old definitions to compare with. */
  readonly compare: string | undefined;
  /** Configuration file; `undefined` for the one of the folder, if there is one. */
  readonly config: string | undefined;
  /** Options by name, as in a configuration. */
  readonly given: Readonly<Record<string, unknown>>;
}

/** Reads a command line. Arguments without an option are inputs, as those of `--from`. */
export function readGenerateArguments(args: readonly string[]): GenerateArguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      all: { type: "boolean" },
      check: { type: "boolean" },
      cluster: { type: "boolean" },
      compare: { type: "string" },
      config: { type: "string" },
      context: { type: "string" },
      from: { type: "string", multiple: true },
      group: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
      int64: { type: "string" },
      kind: { type: "string", multiple: true },
      kubeconfig: { type: "string" },
      out: { type: "string", short: "o" },
      schemas: { type: "string" },
      unserved: { type: "boolean" },
      watch: { type: "boolean" },
    },
  });
  const {
    help = false,
    check = false,
    watch = false,
    compare,
    config,
    from = [],
    ...given
  } = values;
  const inputs = [...from, ...positionals];
  return {
    isHelp: help,
    check,
    watch,
    compare,
    config,
    given: { ...given, ...(inputs.length === 0 ? {} : { from: inputs }) },
  };
}

/**
 * Merges the options of a command line with those of a configuration. Inputs on the command line replace all inputs of
 * the configuration.
 *
 * @throws {Error} naming an unknown option, an invalid value, or missing inputs.
 */
export function mergeGenerateOptions(
  given: Readonly<Record<string, unknown>>,
  configured: Readonly<Record<string, unknown>>,
): GenerateCommandOptions {
  const hasInputs = given["from"] !== undefined || given["cluster"] !== undefined;
  const { from: _, cluster: __, ...withoutInputs } = configured;
  const options = { ...(hasInputs ? withoutInputs : configured), ...given };
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof typeof checks] : undefined;
    if (check === undefined) {
      throw new Error(`unknown option "${name}" in the configuration; it has ${names()}`);
    }
    if (!check.isValid(value)) {
      throw new Error(`${name} must be ${check.mustBe}`);
    }
  }
  const merged = { ...defaults, ...options } as GenerateCommandOptions;
  const link = merged.from.find((input) => /^https?:\/\//i.test(input));
  if (link !== undefined) {
    throw new Error(
      `${link} is not read: what it holds may change. Store it in a file that you review, or pipe it: curl -sSL URL | typekube generate -`,
    );
  }
  if (!merged.cluster && merged.from.length === 0) {
    throw new Error("no inputs: pass files or folders, - for standard input, or --cluster");
  }
  return merged;
}

const defaults = {
  cluster: false,
  context: undefined,
  kubeconfig: undefined,
  from: [],
  out: "generated",
  group: undefined,
  kind: undefined,
  all: false,
  unserved: false,
  int64: "number",
  schemas: undefined,
} satisfies GenerateCommandOptions;

interface Check {
  readonly mustBe: string;
  readonly isValid: (value: unknown) => boolean;
}

const yesOrNo: Check = { mustBe: "true or false", isValid: (value) => typeof value === "boolean" };
const text: Check = {
  mustBe: "a text that is not empty",
  isValid: (value) => typeof value === "string" && value !== "",
};
const texts: Check = {
  mustBe: "a list of texts",
  isValid: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string"),
};
const oneOf = (...words: readonly string[]): Check => ({
  mustBe: words.join(" or "),
  isValid: (value) => words.some((word) => word === value),
});

const checks: Readonly<Record<keyof GenerateCommandOptions, Check>> = {
  all: yesOrNo,
  cluster: yesOrNo,
  context: text,
  from: texts,
  group: texts,
  int64: oneOf("number", "bigint"),
  kind: texts,
  kubeconfig: text,
  out: text,
  schemas: oneOf("json", "zod"),
  unserved: yesOrNo,
};

function names(): string {
  return Object.keys(checks).join(", ");
}
