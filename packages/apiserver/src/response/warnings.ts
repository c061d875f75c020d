/** How many characters all warnings of an answer may have before each of them is cut. */
const maxTotal = 4 * 1024;
/** How many of each are left then. */
const maxEach = 256;

/** The `Warning` header of an answer: each text once, as many as fit; its characters are the bytes of UTF-8, as headers go out. */
export function warningHeaders(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) {
    return {};
  }
  const texts = fitting([...new Set(warnings)].filter((text) => text !== ""));
  const warning = texts.map((text) => `299 - "${text.replace(/["\\]/g, "\\$&")}"`).join(", ");
  return { warning: Buffer.from(warning, "utf8").toString("latin1") };
}

/** All texts, or, where they are too many or too long, the beginnings of as many as fit. */
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
