import { KubeError } from "@typekube/core";
import type { ConnectionOptions } from "./connection-options.js";
import { isExecPolicy } from "./exec/exec-policy.js";
import { isFileReferences } from "./file-references.js";

/** A type of option values: its description for errors, and its test. */
interface OptionType {
  readonly text: string;
  readonly isValid: (value: unknown) => boolean;
}

const isText = (value: unknown) => typeof value === "string";
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** By its method, since a secret may come from another copy of the package. */
const isSecret = (value: unknown) => isObject(value) && typeof value["reveal"] === "function";
const isPem = (value: unknown) => isText(value) || value instanceof Uint8Array;

const flag: OptionType = {
  text: "true or false",
  isValid: (value) => typeof value === "boolean",
};
const text: OptionType = { text: "a string", isValid: isText };
const secret: OptionType = {
  text: "a string or a Secret",
  isValid: (value) => isText(value) || isSecret(value),
};
const object: OptionType = { text: "an object", isValid: isObject };
const milliseconds: OptionType = {
  text: "a number of 0 or more, in milliseconds",
  isValid: (value) => typeof value === "number" && value >= 0,
};

/** Types of the options. A kubeconfig has many forms, and its parser checks them. */
const types: { readonly [K in keyof Required<Checked>]: OptionType } = {
  anonymous: flag,
  ca: { text: "PEM as a string or bytes", isValid: isPem },
  cert: { text: "PEM as a string or bytes", isValid: isPem },
  clock: {
    text: "a clock with now() and schedule()",
    isValid: (value) =>
      isObject(value) &&
      typeof value["now"] === "function" &&
      typeof value["schedule"] === "function",
  },
  context: text,
  env: object,
  execPlugins: {
    text: '"all", "none", a function or a list of commands: "name" or { command, env: "all" or [names], args: [strings] }',
    isValid: isExecPolicy,
  },
  execPluginTimeoutMs: milliseconds,
  fileReferences: {
    text: '"all", "none" or a list of folders, each a non-empty string',
    isValid: isFileReferences,
  },
  homeDir: text,
  impersonate: { text: "an object: { user, uid, groups, extra }", isValid: isObject },
  inCluster: flag,
  insecureSkipVerify: flag,
  key: {
    text: "PEM as a string, bytes or a Secret",
    isValid: (value) => isPem(value) || isSecret(value),
  },
  namespace: text,
  password: secret,
  proxy: {
    text: "a URL as a string or a Secret, or false",
    isValid: (value) => value === false || isText(value) || isSecret(value),
  },
  server: { text: "a URL as a string", isValid: isText },
  serverName: text,
  serviceAccountDir: text,
  signal: {
    text: "an AbortSignal",
    isValid: (value) =>
      typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === "function",
  },
  stdin: { text: "an object: { isTerminal, unavailable }", isValid: isObject },
  timeoutMs: milliseconds,
  token: secret,
  tokenFile: text,
  username: text,
};
type Checked = Omit<ConnectionOptions, "kubeconfig">;

/**
 * Rejects options of a wrong type, which the compiler does not see in JavaScript and in configuration files. Some would
 * be ignored: an `impersonate` of `""` would make requests as oneself, a timeout that is not a number would expire at
 * once.
 *
 * @throws {KubeError} `InvalidArgument`, naming the option. The message never contains its value, which may be a secret.
 */
export function assertOptionTypes(options: ConnectionOptions): void {
  for (const [name, { text: expected, isValid }] of Object.entries(types)) {
    const value: unknown = options[name as keyof typeof types];
    if (value !== undefined && !isValid(value)) {
      throw new KubeError("InvalidArgument", `${name}: must be ${expected}`);
    }
  }
}
