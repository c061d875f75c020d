/** Returns true for a UUID, with or without dashes, in small or capital letters. */
export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);
}

/** Returns true for padded base64 of at least one byte. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

/** Returns true for a day of the calendar as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) {
    return false;
  }
  const [year, month, day] = match.slice(1).map(Number);
  return (
    year !== undefined &&
    month !== undefined &&
    day !== undefined &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysOf(year, month)
  );
}

function daysOf(year: number, month: number): number {
  if (month === 2) {
    const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return isLeapYear ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Returns true for a date and a time as kube-openapi's `strfmt` reads them: the zone may have any digits, there is no
 * leap second, and what follows a second `t` is ignored.
 */
export function isDateTime(text: string): boolean {
  const [date = "", time = ""] = text.toLowerCase().split("t");
  const match = /^(\d{2}):(\d{2}):(\d{2})([^\n]\d+)?(z|[+-]\d{2}:\d{2})$/u.exec(time);
  const [, hour = "", minute = "", second = ""] = match ?? [];
  return isDate(date) && match !== null && hour <= "23" && minute <= "59" && second <= "59";
}
