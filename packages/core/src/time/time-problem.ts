import { timeParts } from "./time-parts.js";

/** Layout of a time, with the names that Go gives to its elements. */
const pieces: readonly (readonly [name: string, form: RegExp])[] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/],
  ["-", /^-/],
  ["02", /^\d\d/],
  ["T", /^T/],
  ["15", /^\d\d?/],
  [":", /^:/],
  ["04", /^\d\d/],
  [":", /^:/],
  ["05", /^\d\d(?:[.,]\d+)?/],
  ["Z07:00", /^(?:Z|[+-]\d\d:\d\d)/],
];

/** Layout of a time with microseconds. */
const microPieces: typeof pieces = pieces.flatMap((piece) =>
  piece[0] === "05"
    ? [
        ["05", /^\d\d/],
        [".000000", /^[.,]\d{6}/],
      ]
    : [piece],
);

/**
 * Returns the reason why a text is not an RFC 3339 time, with the message of Go's `time.Parse`; `undefined` when it is
 * one.
 *
 * @param isMicro - `true` to require six digits after the decimal point.
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
    const outside = partOutside(name, found);
    if (outside !== undefined) {
      return `${problem}: ${outside} out of range`;
    }
    rest = rest.slice(found.length);
  }
  if (rest !== "") {
    return `${problem}: extra text: ${JSON.stringify(rest)}`;
  }
  // Go checks the day last, once it knows the month.
  const { year, month, day } = timeParts(text) ?? { year: 0, month: 1, day: 1 };
  // Date.UTC reads the years 0 to 99 as 1900 to 1999. The calendar repeats every 400 years, so add them.
  const days = new Date(Date.UTC(year + 400, month, 0)).getUTCDate();
  return day < 1 || day > days ? `${problem}: day out of range` : undefined;
}

/** Returns Go's name of the part that is out of range. */
function partOutside(name: string, found: string): string | undefined {
  switch (name) {
    case "01":
      return Number(found) < 1 || Number(found) > 12 ? "month" : undefined;
    case "15":
      return Number(found) > 23 ? "hour" : undefined;
    case "04":
      return Number(found) > 59 ? "minute" : undefined;
    case "05":
      return Number(found.slice(0, 2)) > 59 ? "second" : undefined;
    case "Z07:00":
      return Number(found.slice(1, 3)) > 24
        ? "time zone offset hour"
        : Number(found.slice(4)) > 60
          ? "time zone offset minute"
          : undefined;
    default:
      return undefined;
  }
}
