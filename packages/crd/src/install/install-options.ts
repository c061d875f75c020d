import { amount, type OptionTable } from "@typekube/core/internal";

/** Options of `install`. */
export interface InstallOptions {
  /** Milliseconds until all definitions must be served. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** True to install breaking changes, too. Default false. */
  readonly force?: boolean | undefined;
  /**
   * Number that grows with each release of the program, such as a build number. It is kept as an annotation of the
   * definition; a definition with a greater number is not overwritten. Default: none, so that the last writer wins.
   */
  readonly revision?: number | undefined;
  /** Name under which servers record who changed the definition. Default: that of the client. */
  readonly fieldManager?: string | undefined;
  /** Aborts the installation. */
  readonly signal?: AbortSignal | undefined;
}

/** Names and checks of {@link InstallOptions}. */
export const installOptions: OptionTable<InstallOptions> = {
  fieldManager: true,
  force: { mustBe: "true or false", isValid: (value) => typeof value === "boolean" },
  revision: {
    mustBe: "an integer from 0 on",
    isValid: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  signal: true,
  timeoutMs: amount,
};
