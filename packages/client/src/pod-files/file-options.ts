import {
  callback,
  flag,
  integerFrom,
  type OptionTable,
  oneOf,
  text,
} from "@typekube/core/internal";
import { type CallOptions, callOptions } from "../options/call-options.js";
import type { CopyProgress } from "./copy-result.js";

/** Options of all calls for files of a pod. */
export interface PodFileOptions extends CallOptions {
  /**
   * Container of the pod. Default: the one that the annotation `kubectl.kubernetes.io/default-container` names, else the
   * first.
   */
  readonly container?: string | undefined;
}

const podFileOptions: OptionTable<PodFileOptions> = { ...callOptions, container: text };

/** Options of both directions. */
interface CopyOptions extends PodFileOptions {
  /** Called as contents are copied, and at least once per file. */
  readonly onProgress?: ((progress: CopyProgress) => void) | undefined;
  /** `true` compresses with gzip, which the container must have. Default false. */
  readonly compress?: boolean | undefined;
}

const copyOptions: OptionTable<CopyOptions> = {
  ...podFileOptions,
  compress: flag,
  onProgress: callback,
};

/** Options of `copyFrom`. */
export interface CopyFromOptions extends CopyOptions {
  /**
   * Symbolic links: `skip` lists them in `skipped`; `follow` copies what they lead to; `keep` creates those that lead to
   * a place inside of the target by a relative path. Default `skip`.
   */
  readonly symlinks?: "follow" | "keep" | "skip" | undefined;
  /** Maximum number of files, directories and other members. Default 500,000. */
  readonly maxFiles?: number | undefined;
  /** Maximum bytes of all contents. Default 64 GiB. */
  readonly maxBytes?: number | undefined;
  /** `true` keeps what was copied of a file when the copy fails within it. Default: it is removed. */
  readonly keepPartial?: boolean | undefined;
  /** How often a copy that was cut off is resumed where it ended. Default 3. */
  readonly retries?: number | undefined;
}

/** Names and checks of {@link CopyFromOptions}. */
export const copyFromOptions: OptionTable<CopyFromOptions> = {
  ...copyOptions,
  keepPartial: flag,
  maxBytes: integerFrom(0),
  maxFiles: integerFrom(1),
  retries: integerFrom(0),
  symlinks: oneOf("follow", "keep", "skip"),
};

/** Options of `copyTo`. */
export interface CopyToOptions extends CopyOptions {
  /**
   * `true` keeps the times of files, and modes and times of directories; those of existing directories change, too.
   * Default false: only the modes of files.
   */
  readonly preserve?: boolean | undefined;
}

/** Names and checks of {@link CopyToOptions}. */
export const copyToOptions: OptionTable<CopyToOptions> = { ...copyOptions, preserve: flag };

/** Default maximum bytes of a file that is read or written whole. */
export const defaultMaxFileBytes: number = 64 * 1024 * 1024;

/** Options of `readFile`. */
export interface ReadFileOptions extends PodFileOptions {
  /** `text` decodes UTF-8. Default `bytes`. */
  readonly output?: "bytes" | "text" | undefined;
  /** Maximum bytes of the file. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Names and checks of {@link ReadFileOptions}. */
export const readFileOptions: OptionTable<ReadFileOptions> = {
  ...podFileOptions,
  maxBytes: integerFrom(0),
  output: oneOf("bytes", "text"),
};

/** Options of `writeFile`. */
export interface WriteFileOptions extends PodFileOptions {
  /** Permission bits of the file, such as 0o600. Default 0o644. */
  readonly mode?: number | undefined;
  /** Maximum bytes of the data. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
}

/** Names and checks of {@link WriteFileOptions}. */
export const writeFileOptions: OptionTable<WriteFileOptions> = {
  ...podFileOptions,
  maxBytes: integerFrom(0),
  mode: {
    mustBe: "permission bits from 0 to 0o7777",
    isValid: (value) =>
      Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0o7777,
  },
};
