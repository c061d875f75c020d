/** A line that ends or begins a document; what follows the mark is of no interest here. */
const mark = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;
/** Lines that may stand before the first mark of a document. */
const prologue = /^(?:\xEF\xBB\xBF)?(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|$)|%[^\n]*(?:\n|$))*/;

/** The bytes of the first document of a YAML stream; the given ones where there is no other. */
export function firstDocument(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  mark.lastIndex = prologue.exec(text)?.[0].length ?? 0;
  const start = mark.lastIndex;
  let found = mark.exec(text);
  if (found?.index === start && found[0] === "---") {
    found = mark.exec(text);
  }
  return found === null ? bytes : bytes.subarray(0, found.index);
}
