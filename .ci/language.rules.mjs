// The rules of check-language.mjs: how a text may open, and words that this project does not use.

const openings = /^(?:What|Who|Whoever|Whose|Whether|Where)\b/i;

/** Openings of texts in a line of source: the rule, and a pattern that captures the start of the comment or title. */
const sourceOpenings = [
  { rule: "doc comment opening", pattern: /^\s*\/\*\*\s+(.*)/ },
  { rule: "comment opening", pattern: /(?:^|\s)\/\/\s+(.*)/ },
  { rule: "tag opening", pattern: /^\s*(?:\/\*)?\*+\s+@(?:param \S+ - |returns )(.*)/ },
  {
    rule: "title opening",
    // An ID of the acceptance lists may come first: `R14: `, `[+] CQ10: `.
    pattern:
      /\b(?:it|test|describe)(?:\.\w+)*(?:\([^"'`]*\))?\(\s*["'`](?:\[[=+]\]\s*)?(?:(?:[A-Z]+\d+(?:-\w+)*,?\s*)+:\s*)?(.*)/,
  },
];

const pageOpenings = [{ rule: "page opening", pattern: /^\s*(?:#+|[-*])\s+(?:\*\*)?(.*)/ }];

/** Words that have a better one everywhere; words whose sense depends on the sentence are changed by hand. */
const words = [
  ["picture", /\bpictures?\b/i, "snapshot"],
  ["grave", /\b(?:graves?|buried|bury)\b/i, "tombstone"],
  ["intake", /\bintakes?\b/i, "transform"],
  ["audience", /\baudience\b(?!s)/i, "subscribers"],
  ["stint", /\bstints?\b/i, "time slice"],
  ["anew", /\banew\b/i, "again"],
  ["for ever", /\bfor ever\b/i, "indefinitely"],
  ["nobody listens", /\bnobody (?:listens|waits|hears|reads|asks)\b/i, "name what is missing"],
  // Case matters: `dnsPolicy is None` is a text of the API.
  ["is none", /\bis none\b/, "is not a ..."],
  ["that there is not", /\b(?:that|which) there (?:is not|are not|is none)\b/i, "unknown"],
  ["given up", /\bgiv(?:e|es|en|ing) up\b|\bgave up\b/i, "cancelled, stopped, abandoned"],
  ["so many", /\bso many (?:milliseconds|bytes|of|seconds)\b/i, "in milliseconds, in bytes"],
  ["whoever", /\bwho(?:ever|soever)\b/i, "name the actor"],
  ["hears of", /\bhears? of\b|\bis told\b|\bare told\b/i, "is notified, is called"],
];

/** Every rule with its advice. */
export const rules = [
  ...[...sourceOpenings, ...pageOpenings].map(({ rule }) => ({
    name: rule,
    instead: "open with a verb in the third person or a noun, not with What, Who, Whether or Where",
  })),
  ...words.map(([name, , instead]) => ({ name, instead: `say: ${instead}` })),
];

/** Returns the findings of one file: rule, line (counted from 1), text. */
export function findingsIn(file, content) {
  const patterns = file.endsWith(".md") ? pageOpenings : sourceOpenings;
  const lines = content.split("\n");
  let isFenced = false;
  return lines.flatMap((text, index) => {
    const at = { line: index + 1, text: text.trim().slice(0, 160) };
    if (file.endsWith(".md") && /^\s*```/.test(text)) {
      isFenced = !isFenced;
    }
    const opened = patterns.filter(({ rule, pattern }) => {
      const [, opening] = pattern.exec(openingOf(rule, text, lines[index + 1])) ?? [];
      // The second line of a comment does not open it.
      const isContinued = rule === "comment opening" && /^\s*\/\//.test(lines[index - 1] ?? "");
      return !isFenced && !isContinued && opening !== undefined && openings.test(opening);
    });
    return [
      ...opened.map(({ rule }) => ({ rule, ...at })),
      ...words.flatMap(([rule, pattern]) => (pattern.test(text) ? [{ rule, ...at }] : [])),
    ];
  });
}

/** Returns the text that a pattern should match. A doc comment or a title may start on the line below its opening. */
function openingOf(rule, text, next = "") {
  if (rule === "doc comment opening" && /^\s*\/\*\*\s*$/.test(text)) {
    return `/** ${next.replace(/^\s*\*\s*/, "")}`;
  }
  return rule === "title opening" && /\(\s*$/.test(text) ? text + next.trim() : text;
}
