import { KubeError } from "../errors/kube-error.js";
import { assertKnownOptions } from "./assert-known-options.js";

/** Describes the valid values of an option. */
export interface OptionCheck {
  /** Completes the error `NAME: must be ...`. Never contains the value, which may be a secret. */
  readonly mustBe: string;
  readonly hint?: string | undefined;
  readonly isValid: (value: unknown) => boolean;
}

/** Describes an option whose value has options of its own. */
export interface NestedOptions {
  /** Name of the nested options, for the message about an unknown one. */
  readonly call: string;
  readonly table: AnyOptionTable;
  /** Text before the names in messages about values, such as `backoff.`. Default: none. */
  readonly prefix?: string | undefined;
}

/** The entry of an option: its check, or `true` if every value is accepted or the value is checked where it is used. */
export type OptionEntry = NestedOptions | OptionCheck | true;

/** An option table of any type. */
export type AnyOptionTable = Readonly<Record<string, OptionEntry>>;

/** Names of all options of `O`; if `O` is a union, those of every member. */
type OptionName<O> = O extends unknown ? keyof O : never;

/**
 * The options of a call: each name with its entry. The compiler requires a table to list every option of `O`, and rejects
 * other names. A table stands beside the type that it describes and has the type's name: `ListOptions`, `listOptions`.
 * The table of a type that extends another one spreads the other's table.
 */
export type OptionTable<O> = Readonly<Record<OptionName<O>, OptionEntry>>;

/**
 * Rejects unknown options, then invalid values.
 *
 * @param call - name of the call, for the message about an unknown option.
 * @param prefix - text before the names in messages about values.
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertOptions(
  call: string,
  options: object,
  table: AnyOptionTable,
  prefix?: string | undefined,
): void {
  assertKnownOptions(call, options, table);
  assertOptionValues(options, table, prefix);
}

/**
 * Rejects invalid values of the options in a table. An `undefined` option counts as omitted, and other options are
 * ignored.
 *
 * @param prefix - text before the names in messages, such as `backoff.`.
 * @throws {KubeError} `InvalidArgument` that names the option.
 */
export function assertOptionValues(options: object, table: AnyOptionTable, prefix = ""): void {
  for (const name in table) {
    const entry = table[name];
    const value: unknown = options[name as keyof typeof options];
    if (entry === undefined || entry === true || value === undefined) {
      continue;
    }
    if ("table" in entry) {
      assertOptions(entry.call, (value ?? {}) as object, entry.table, entry.prefix);
    } else if (!entry.isValid(value)) {
      const { mustBe, hint } = entry;
      throw new KubeError("InvalidArgument", `${prefix}${name}: must be ${mustBe}`, { hint });
    }
  }
}

/**
 * Returns a sentence for each invalid value of the options in a table, for errors that name all of them. The sentences
 * contain the values, so none of the options may be a secret. Skips nested options.
 *
 * @param prefix - text before the names, such as `limits.`.
 */
export function optionProblems(options: object, table: AnyOptionTable, prefix = ""): string[] {
  return Object.entries(table).flatMap(([name, entry]) => {
    const value: unknown = options[name as keyof typeof options];
    return entry === true || "table" in entry || value === undefined || entry.isValid(value)
      ? []
      : [`${prefix}${name} is ${String(value)}, but must be ${entry.mustBe}`];
  });
}
