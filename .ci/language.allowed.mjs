// Justified exceptions from check-language.mjs: file, rule, a part of the line, and the reason.

/** @type {readonly { file: string; rule: string; text: string; reason: string }[]} */
export const allowed = [];
