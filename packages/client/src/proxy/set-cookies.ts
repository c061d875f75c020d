/**
 * Splits cookies that were joined by commas into their headers: unlike other headers, they cannot be one list. A comma
 * within a cookie is part of its date.
 */
export function cookiesIn(header: string): string[] {
  return header === "" ? [] : header.split(/,\s*(?=[!#$%&'*+.^_`|~\w-]+=)/);
}
