export function htmlReport(_: unknown): string {
  return "";
}
