const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** Units of an age by its length in seconds (apimachinery `duration.HumanDuration`). */
const steps = [
  { below: 2 * minute, unit: 1, sign: "s" },
  { below: 10 * minute, unit: minute, sign: "m", rest: 1, restSign: "s" },
  { below: 3 * hour, unit: minute, sign: "m" },
  { below: 8 * hour, unit: hour, sign: "h", rest: minute, restSign: "m" },
  { below: 2 * day, unit: hour, sign: "h" },
  { below: 8 * day, unit: day, sign: "d", rest: hour, restSign: "h" },
  { below: 2 * year, unit: day, sign: "d" },
  { below: 8 * year, unit: year, sign: "y", rest: day, restSign: "d" },
  { below: Number.POSITIVE_INFINITY, unit: year, sign: "y" },
] as const;

/** Formats an age: `45s`, `3m20s`, `5d`. */
export function ageText(seconds: number): string {
  if (seconds < 0) {
    return "0s";
  }
  const step = steps.find(({ below }) => seconds < below);
  if (step === undefined) {
    return "<invalid>";
  }
  const whole = `${Math.floor(seconds / step.unit)}${step.sign}`;
  const rest = "rest" in step ? Math.floor((seconds % step.unit) / step.rest) : 0;
  return "rest" in step && rest > 0 ? `${whole}${rest}${step.restSign}` : whole;
}

/** Formats the time elapsed since an API time; `<unknown>` without one. */
export function sinceText(time: unknown, now: number): string {
  const then = Date.parse(String(time));
  return Number.isNaN(then) ? "<unknown>" : ageText(Math.floor((now - then) / 1000));
}
