/** A part of a label selector. The kind is the text itself for keywords and signs. */
export interface LabelToken {
  readonly kind:
    | "!"
    | "!="
    | "("
    | ")"
    | ","
    | "<"
    | "="
    | "=="
    | ">"
    | "end"
    | "in"
    | "notin"
    | "text";
  readonly text: string;
}

const signs = ["==", "!=", "=", "!", "(", ")", ",", "<", ">"] as const;

/** Splits a label selector as apimachinery's lexer does. The last token is the end. */
export function labelTokens(selector: string): LabelToken[] {
  const tokens: LabelToken[] = [];
  let index = 0;
  for (;;) {
    while (/[ \t\r\n]/.test(selector.charAt(index))) {
      index += 1;
    }
    // Go's lexer takes a NUL for the end of the text, and one behind a token for nothing.
    if (index >= selector.length || selector.charAt(index) === "\0") {
      return [...tokens, { kind: "end", text: "" }];
    }
    const token = tokenAt(selector, index);
    tokens.push(token);
    index += token.text.length;
    index += selector.charAt(index) === "\0" ? 1 : 0;
  }
}

function tokenAt(selector: string, index: number): LabelToken {
  const sign = signs.find((candidate) => selector.startsWith(candidate, index));
  if (sign !== undefined) {
    return { kind: sign, text: sign };
  }
  let end = index;
  while (end < selector.length && !"=!(),>< \t\r\n\0".includes(selector.charAt(end))) {
    end += 1;
  }
  const text = selector.slice(index, end);
  return { kind: text === "in" || text === "notin" ? text : "text", text };
}
