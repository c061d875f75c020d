/** Characters of a plugin's standard error that an error shows. */
const maxShownChars = 1_000;

/**
 * Text of a kubeconfig or a plugin for a terminal: control characters, with which escape sequences begin, become
 * visible; line feeds and tabs are kept.
 */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (char) =>
    char === "\r" ? "" : `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/**
 * What a plugin wrote for people, without what may be a secret: anything that it was given or printed, values of
 * words like `token` and `password`, and any long word of letters and digits, as tokens are.
 *
 * @param known - texts that must not show.
 */
export function withoutSecrets(text: string, known: readonly string[]): string {
  let shown = text;
  for (const secret of [...known].sort((a, b) => b.length - a.length)) {
    if (secret.length >= 4) {
      shown = shown.replaceAll(secret, "[redacted]");
    }
  }
  shown = shown
    .replace(
      /((?:token|password|passwd|secret|key|authorization|bearer|basic|credential)s?["']?(?:\s*[:=]\s*|\s+))(?:(?:bearer|basic)\s+)?["']?[^\s"',;]+/gi,
      "$1[redacted]",
    )
    .replace(/[A-Za-z0-9+/_=.~-]{24,}/g, (word) => (/\d/.test(word) ? "[redacted]" : word))
    .trim();
  const cut = shown.length > maxShownChars ? `${shown.slice(0, maxShownChars)}…` : shown;
  return harmless(cut);
}
