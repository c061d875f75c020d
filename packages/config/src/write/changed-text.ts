import { isDeepStrictEqual } from "node:util";
import { parseYaml } from "../parse-yaml.js";
import type { FileContent } from "./changed-content.js";
import { editYamlText } from "./edit-yaml-text.js";

/**
 * The text of a file with another content. In YAML only the stanzas that changed are written anew, with the comments within
 * them; all other text stays. Where a file is written in a way that cannot be changed in parts (lists in one line, anchors), or
 * the parts would not add up to the content, the whole file is written anew and its comments are lost. JSON stays JSON.
 */
export async function changedText(
  text: string,
  before: FileContent | undefined,
  after: FileContent,
  file: string,
): Promise<string> {
  const { dump } = await import("js-yaml");
  const whole = () => dump(after, { lineWidth: -1, noRefs: true });
  if (before === undefined) {
    return whole();
  }
  if (isJson(text)) {
    const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? (text.includes("\n") ? "  " : "");
    return `${JSON.stringify(after, null, indent)}${text.endsWith("\n") ? "\n" : ""}`;
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
