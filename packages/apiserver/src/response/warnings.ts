/** Maximum total characters of a response's warnings before each of them is truncated. */
const maxTotal = 4 * 1024;
/** Characters of each truncated warning. */
const maxEach = 256;

/**
 * Returns the `Warning` header of a response: each text once, as many as fit. Its characters are UTF-8 bytes, as
 * required for sending headers.
 */
export function warningHeaders(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) {
    return {};
  }
  const texts = fitting([...new Set(warnings)].filter((text) => text !== ""));
  const warning = texts.map((text) => `299 - "${text.replace(/["\\]/g, "\\$&")}"`).join(", ");
  return { warning: Buffer.from(warning, "utf8").toString("latin1") };
}

/** Returns all texts; if they exceed the limit, the truncated texts that fit. */
function fitting(texts: readonly string[]): string[] {
  const total = texts.reduce((sum, text) => sum + lengthOf(text), 0);
  if (total <= maxTotal) {
    return [...texts];
  }
  const kept: string[] = [];
  let written = 0;
  for (const text of texts) {
    if (written >= maxTotal) {
      break;
    }
    const cut = [...text].slice(0, maxEach).join("");
    kept.push(cut);
    written += lengthOf(cut);
  }
  return kept;
}

function lengthOf(text: string): number {
  return [...text].length;
}
