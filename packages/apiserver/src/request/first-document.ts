/** A line that ends or begins a document; the rest of the line is ignored here. */
const mark = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;
/** Lines that may precede the first document marker. */
const prologue = /^(?:\xEF\xBB\xBF)?(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|$)|%[^\n]*(?:\n|$))*/;

/** Returns the bytes of the first document of a YAML stream; the same bytes if there is only one. */
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
