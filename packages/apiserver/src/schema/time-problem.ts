/** The layout of a time, piece by piece, as Go names the pieces. */
const pieces: readonly (readonly [name: string, form: RegExp])[] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/],
  ["-", /^-/],
  ["02", /^\d\d/],
  ["T", /^T/],
  ["15", /^\d\d/],
  [":", /^:/],
  ["04", /^\d\d/],
  [":", /^:/],
  ["05", /^\d\d(?:[.,]\d+)?/],
  ["Z07:00", /^(?:Z|[+-]\d\d:\d\d)/],
];

/** The same with microseconds. */
const microPieces: typeof pieces = pieces.flatMap((piece) =>
  piece[0] === "05"
    ? [
        ["05", /^\d\d/],
        [".000000", /^[.,]\d{6}/],
      ]
    : [piece],
);

/**
 * Why a text is no time of RFC 3339, in the words of Go's `time.Parse`; `undefined` when it is one.
 *
 * @param isMicro - it must have six digits behind the point.
 */
export function timeProblem(text: string, isMicro: boolean): string | undefined {
  const problem = `parsing time ${JSON.stringify(text)}`;
  const layout = ` as "2006-01-02T15:04:05${isMicro ? ".000000" : ""}Z07:00": cannot parse`;
  let rest = text;
  for (const [name, form] of isMicro ? microPieces : pieces) {
    const [found] = form.exec(rest) ?? [];
    if (found === undefined) {
      return `${problem}${layout} ${JSON.stringify(rest)} as ${JSON.stringify(name)}`;
    }
    rest = rest.slice(found.length);
  }
  if (rest !== "") {
    return `${problem}: extra text: ${JSON.stringify(rest)}`;
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text
    .slice(0, 19)
    .split(/[-T:]/)
    .map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const outside =
    month < 1 || month > 12
      ? "month"
      : day < 1 || day > days
        ? "day"
        : hour > 23
          ? "hour"
          : minute > 59
            ? "minute"
            : second > 59
              ? "second"
              : undefined;
  return outside && `${problem}: ${outside} out of range`;
}
