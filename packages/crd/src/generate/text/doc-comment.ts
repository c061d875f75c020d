import { harmless } from "@typekube/core";

/**
 * Writes a doc comment.
 *
 * @param lines - its lines; a text with line breaks is several lines.
 * @returns the comment with a line break at its end; empty without lines.
 */
export function docComment(lines: readonly string[]): string {
  const all = trimmed(lines.flatMap((line) => commentText(line).split("\n")));
  if (all.length === 0) {
    return "";
  }
  return all.length === 1
    ? `/** ${all[0]} */\n`
    : `/**\n${all.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}

/** Returns foreign text that neither ends its comment nor starts a tag in it. */
export function plainText(text: string): string {
  return text.replace(/^([ \t]*)@/gm, "$1\\@");
}

/** Returns text as inline code. */
export function codeText(text: string): string {
  const oneLine = text.replace(/\s*\n\s*/g, " ").trim();
  return oneLine.includes("`") ? `\`\` ${oneLine} \`\`` : `\`${oneLine}\``;
}

function commentText(text: string): string {
  return harmless(text.replace(/\r\n?/g, "\n"))
    .replace(/[\u2028\u2029]/g, " ")
    .replaceAll("*/", "*\\/")
    .replaceAll("\t", "  ");
}

/** Returns lines without empty ones at both ends, and without consecutive empty ones. */
function trimmed(lines: readonly string[]): string[] {
  const ended = lines.map((line) => line.trimEnd());
  return ended.filter(
    (line, at) =>
      line !== "" || (ended.slice(0, at).some((one) => one !== "") && (ended[at + 1] ?? "") !== ""),
  );
}
