// One escape of a JSON string after the other: a pair of surrogates, half of a pair, anything else.
const jsonEscape =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|[\s\S])/g;

/** JSON text in which each escape of half a surrogate pair is U+FFFD, as Go reads it. Other escapes stay. */
export function withoutLoneSurrogates(text: string): string {
  return text.includes("\\ud") || text.includes("\\uD")
    ? text.replace(jsonEscape, (whole, half: string | undefined) =>
        half === undefined ? whole : "\ufffd",
      )
    : text;
}
