import { integerFrom, type OptionCheck, type OptionTable } from "@typekube/core/internal";
import { type EncodingOptions, encodingOptions } from "./encoding-options.js";

/** Options of every write. */
export interface WriteOptions extends EncodingOptions {
  /** `All` makes the server process the whole write without storing anything. */
  readonly dryRun?: "All" | undefined;
  /**
   * The field manager recorded in managedFields: 1 to 128 bytes of printable characters. Default of an apply: the
   * `name` in the program's package.json, otherwise its file name. Default of other writes: the server derives it from
   * the user agent.
   */
  readonly fieldManager?: string | undefined;
  /** The server's treatment of unknown and duplicate fields: `Warn` (its default), `Strict` or `Ignore`. */
  readonly fieldValidation?: "Ignore" | "Strict" | "Warn" | undefined;
}

/** The only value of the API. Another one, such as `true`, must not become a real write. */
export const dryRun: OptionCheck = {
  mustBe: '"All"',
  hint: 'write dryRun: "All" for a dry run; omit dryRun for a real write',
  isValid: (value) => value === "All",
};

/** Accepts the characters that Go's unicode.IsPrint accepts, in at most 128 bytes. */
const fieldManager: OptionCheck = {
  mustBe: "1 to 128 bytes of printable characters",
  isValid: (value) =>
    typeof value === "string" &&
    /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(value) &&
    Buffer.byteLength(value) <= 128,
};

/** Names and checks of {@link WriteOptions}. */
export const writeOptions: OptionTable<WriteOptions> = {
  ...encodingOptions,
  dryRun,
  fieldManager,
  fieldValidation: true,
};

/** Options of a create. */
export interface CreateOptions extends WriteOptions {
  /**
   * Total number of creates when the server generates the name (`metadata.generateName`) and finds it taken. Each retry
   * waits as long as the server advises. Default 8; 1 never retries. A name given by the caller is never retried.
   */
  readonly maxNameTries?: number | undefined;
}

/** Names and checks of {@link CreateOptions}. */
export const createOptions: OptionTable<CreateOptions> = {
  ...writeOptions,
  maxNameTries: integerFrom(1),
};

/** Options of a modify: read, change, write. */
export interface ModifyOptions extends WriteOptions {
  /**
   * Total attempts to read and write while others write in between, 10 to 11 ms apart. Default 5, as in client-go's
   * `DefaultRetry`.
   */
  readonly maxTries?: number | undefined;
}

/** Names and checks of {@link ModifyOptions}. */
export const modifyOptions: OptionTable<ModifyOptions> = {
  ...writeOptions,
  maxTries: integerFrom(1),
};

/** Options of a modify that may have to create the object. */
export interface ModifyOrCreateOptions<T> extends ModifyOptions {
  /** The object to start from when none exists; the changed object is then created. Default: fail with `NotFound`. */
  readonly createIfMissing?: T | undefined;
}

/** Names and checks of {@link ModifyOrCreateOptions}. */
export const modifyOrCreateOptions: OptionTable<ModifyOrCreateOptions<object>> = {
  ...modifyOptions,
  createIfMissing: true,
};

/** Options of a server-side apply. */
export interface ApplyOptions extends WriteOptions {
  /** Takes over fields from other managers instead of failing with `Conflict`. Default false. */
  readonly force?: boolean | undefined;
}

/** Names and checks of {@link ApplyOptions}. */
export const applyOptions: OptionTable<ApplyOptions> = { ...writeOptions, force: true };
