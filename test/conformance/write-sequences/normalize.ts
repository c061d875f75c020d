/** Keys whose values differ between servers. */
const own = new Set(["creationTimestamp", "deletionTimestamp", "resourceVersion", "time", "uid"]);
const ports = new Set(["healthCheckNodePort", "nodePort"]);

/** Replaces the values of a response that no two servers have in common. */
export function normalize(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => normalize(item));
    // managedFields entries are sorted by time, which differs between the servers. Real servers report conflicts in
    // random order.
    const isUnordered =
      key === "managedFields" || (key === "causes" && JSON.stringify(items).includes("Conflict"));
    return isUnordered ? items.sort(byText) : items;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([name, item]) => [name, normalize(item, name)]);
    return Object.fromEntries(entries);
  }
  if (own.has(key) && value !== null) {
    return `<${key}>`;
  }
  if (ports.has(key)) {
    return "<port>";
  }
  return typeof value === "string" ? normalizeText(value) : value;
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function normalizeText(text: string): string {
  return (
    text
      // Values in Go syntax, which an error about an immutable field contains.
      .replace(
        /Invalid value: [[{].*?: field is immutable/g,
        "Invalid value: <object>: field is immutable",
      )
      // The diff that an error about a change contains.
      .replace(/\n@@[\s\S]*$/, text.includes("is invalid: [") ? "]" : "")
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>")
      .replace(/\b10\.0\.0\.\d+/g, "<address>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
  );
}
