import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "../kubeconfig/parse-yaml.js";
import type { FileContent } from "./changed-content.js";
import { editYamlText } from "./edit-yaml-text.js";
import { lineBreakOf, withLineBreaks } from "./line-break.js";

/**
 * Returns the text of a file with new content. In YAML only the changed stanzas are rewritten, and comments within them
 * are lost; all other text stays. When a file cannot be edited in parts (lists on one line, anchors), or the edits do
 * not result in the content, the whole file is rewritten and its comments are lost. JSON stays JSON, and CRLF line
 * breaks are kept.
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
  return edited !== undefined && (await parsesTo(edited, after, file)) ? edited : whole();
}

/**
 * Returns true when the edited text parses to the intended content. Every edit passes this one check, however the file
 * is written.
 */
async function parsesTo(text: string, content: FileContent, file: string): Promise<boolean> {
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
