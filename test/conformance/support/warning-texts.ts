import { isIdleKindWarning } from "../../../packages/apiserver/src/kinds/idle-kinds.js";

/** Returns the texts of a `Warning` header, without those about kinds that the embedded server does not act on. */
export function warningTexts(header = ""): string[] {
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = ""]) => text.replace(/\\(.)/g, "$1"))
    .filter((text) => !isIdleKindWarning(text));
}
