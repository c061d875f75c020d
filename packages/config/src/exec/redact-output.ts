import { harmless } from "@typekube/core";

/** Characters of a plugin's standard error that an error message shows. */
const maxShownChars = 1_000;

/** Words after which, and variable names for which, a value is a secret. */
const secretNames = "token|password|passwd|secret|key|authorization|bearer|basic|credential";
const moreSecretNames = "pwd|passphrase|auth|cookie|session|jwt|assertion|signature|otp|pin";
const secretName = new RegExp(`(?:${secretNames}|${moreSecretNames})s?$`, "i");
/** The second group of names are everyday words too: the text after them is a value only behind `:` or `=`. */
const secretValue = new RegExp(
  `((?:(?:${secretNames})s?["']?(?:\\s*[:=]\\s*|\\s+)|(?:${moreSecretNames})s?["']?\\s*[:=]\\s*))` +
    `(?:(?:bearer|basic)\\s+)?["']?[^\\s"',;]+`,
  "gi",
);

/** Returns the values of environment variables whose names indicate a secret. */
export function secretVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && secretName.test(name) ? [value] : [],
  );
}

/**
 * Redacts possible secrets in a plugin's standard error: the known texts, values after words like `token` and
 * `password`, and long words of letters and digits, which look like tokens.
 *
 * @param known - texts to redact whatever their length; those of one to three characters only as whole words.
 */
export function withoutSecrets(text: string, known: readonly string[]): string {
  let shown = text;
  for (const secret of [...known].sort((a, b) => b.length - a.length)) {
    if (secret.length >= 4) {
      shown = shown.replaceAll(secret, "[redacted]");
    } else if (secret !== "") {
      const word = secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
      shown = shown.replace(new RegExp(`(?<![\\w])${word}(?![\\w])`, "g"), "[redacted]");
    }
  }
  shown = shown
    .replace(secretValue, "$1[redacted]")
    .replace(/[A-Za-z0-9+/_=.~-]{24,}/g, (word) => (/\d/.test(word) ? "[redacted]" : word))
    .trim();
  const cut = shown.length > maxShownChars ? `${shown.slice(0, maxShownChars)}…` : shown;
  return harmless(cut);
}
