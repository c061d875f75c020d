import { amount, type OptionCheck, text } from "@typekube/core/internal";

// Checks of the values of connection options, which JavaScript callers and configuration files may get wrong.

/** Recognized by its method, since a secret may come from another copy of the package. */
const isSecret = (value: unknown) =>
  typeof (value as { readonly reveal?: unknown } | null)?.reveal === "function";
const isPem = (value: unknown) => text.isValid(value) || value instanceof Uint8Array;

/** Accepts PEM. */
export const pem: OptionCheck = { mustBe: "PEM as a string or bytes", isValid: isPem };

/** Accepts a private key. */
export const key: OptionCheck = {
  mustBe: "PEM as a string, bytes or a Secret",
  isValid: (value) => isPem(value) || isSecret(value),
};

/** Accepts text that may be wrapped in a Secret. */
export const secret: OptionCheck = {
  mustBe: "a string or a Secret",
  isValid: (value) => text.isValid(value) || isSecret(value),
};

/** Accepts the text of a URL, which is parsed later. */
export const url: OptionCheck = { mustBe: "a URL as a string", isValid: text.isValid };

/** Accepts the URL of a proxy, or `false` for none. */
export const proxyUrl: OptionCheck = {
  mustBe: "a URL as a string or a Secret, or false",
  isValid: (value) => value === false || secret.isValid(value),
};

/** Accepts clocks, by their methods. */
export const clock: OptionCheck = {
  mustBe: "a clock with now() and schedule()",
  isValid: (value) => {
    const { now, schedule } = (value ?? {}) as {
      readonly now?: unknown;
      readonly schedule?: unknown;
    };
    return typeof now === "function" && typeof schedule === "function";
  },
};

/** Accepts signals, by their method. */
export const abortSignal: OptionCheck = {
  mustBe: "an AbortSignal",
  isValid: (value) => typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === "function",
};

/** Accepts durations. */
export const wait: OptionCheck = { ...amount, mustBe: "a number of 0 or more, in milliseconds" };
