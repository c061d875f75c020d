import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "../parse-yaml.js";
import type { FileContent } from "./changed-content.js";
import { editYamlText } from "./edit-yaml-text.js";
import { lineBreakOf, withLineBreaks } from "./line-break.js";

/**
 * Returns the text of a file with another content. In YAML only the stanzas that changed are rewritten, with the comments within
 * them; all other text stays. Where a file is written in a way that cannot be changed in parts (lists in one line, anchors), or
 * the parts would not add up to the content, the whole file is rewritten and its comments are lost. JSON stays JSON, and lines that
 * end in CRLF still do.
 */
export async function changedText(
  text: string,
  before: FileContent | undefined,
  after: FileContent,
  file: string,
): Promise<string> {
  const { dump } = await import("js-yaml");
  const lineBreak = lineBreakOf(text);
  const whole = () => withLineBreaks(dump(after, { lineWidth: -1, noRefs: true }), lineBreak);
  if (before === undefined) {
    return whole();
  }
  if (isJson(text)) {
    const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
    const json = JSON.stringify(after, null, indent);
    return withLineBreaks(text.endsWith("\n") ? `${json}\n` : json, lineBreak);
  }
  const edited = await editYamlText(text, before, after);
  return edited !== undefined && (await saysSo(edited, after, file)) ? edited : whole();
}

/** Whether the edited text is what was meant: the one check that any file, however it is written, goes through. */
async function saysSo(text: string, content: FileContent, file: string): Promise<boolean> {
  try {
    return isDeepStrictEqual(await parseYaml(text, file), content);
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
