/** An element of an XML document. */
interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
}

interface ElementRule {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly children: readonly string[];
  readonly hasText: boolean;
}

const rule = (
  required: string,
  optional: string,
  children: string,
  hasText = false,
): ElementRule => ({
  required: words(required),
  optional: words(optional),
  children: words(children),
  hasText,
});

function words(text: string): readonly string[] {
  return text.split(" ").filter((one) => one !== "");
}

/** The elements that readers of JUnit reports know, as the schema junit-10 of Jenkins describes them. */
const rules: Readonly<Record<string, ElementRule>> = {
  testsuites: rule("", "name time tests failures errors", "testsuite"),
  testsuite: rule(
    "name tests failures errors",
    "group time skipped timestamp hostname id package file log url",
    "testsuite properties testcase system-out system-err",
  ),
  properties: rule("", "", "property"),
  property: rule("name value", "", ""),
  testcase: rule("name", "time classname group", "skipped error failure system-out system-err"),
  failure: rule("", "type message", "", true),
  error: rule("", "type message", "", true),
  skipped: rule("", "type message", "", true),
  "system-out": rule("", "", "", true),
  "system-err": rule("", "", "", true),
};

/** Returns what makes a text no JUnit report: XML that is not well-formed, unknown elements and attributes, wrong counts. */
export function junitProblems(text: string): string[] {
  let root: XmlElement;
  try {
    root = parseXml(text);
  } catch (error) {
    return [(error as Error).message];
  }
  return [
    ...(root.name === "testsuites" || root.name === "testsuite" ? [] : [`root ${root.name}`]),
    ...problemsOf(root),
  ];
}

function problemsOf(element: XmlElement): string[] {
  const { name, attributes, children, text } = element;
  const known = rules[name];
  if (known === undefined) {
    return [`unknown element ${name}`];
  }
  return [
    ...known.required
      .filter((one) => !attributes.has(one))
      .map((one) => `${name} without attribute ${one}`),
    ...[...attributes.keys()]
      .filter((one) => !known.required.includes(one) && !known.optional.includes(one))
      .map((one) => `${name} with attribute ${one}`),
    ...children
      .filter((child) => !known.children.includes(child.name))
      .map((child) => `${child.name} in ${name}`),
    ...(known.hasText || text.trim() === "" ? [] : [`text in ${name}`]),
    ...countProblems(element),
    ...children.flatMap(problemsOf),
  ];
}

function countProblems(element: XmlElement): string[] {
  const cases = [...casesIn(element)];
  const holding = (child: string) =>
    cases.filter(({ children }) => children.some(({ name }) => name === child)).length;
  const counts = {
    tests: cases.length,
    failures: holding("failure"),
    errors: holding("error"),
    skipped: holding("skipped"),
  };
  return element.name.startsWith("testsuite")
    ? Object.entries(counts).flatMap(([name, count]) => {
        const given = element.attributes.get(name);
        return given === undefined || given === String(count)
          ? []
          : [`${element.name} ${name}="${given}" instead of ${count}`];
      })
    : [];
}

function* casesIn(element: XmlElement): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === "testcase") {
      yield child;
    } else {
      yield* casesIn(child);
    }
  }
}

const tag = /<(\/?)([A-Za-z][\w-]*)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>/y;
// XML 1.0 has no other characters.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML does not have
const noCharacter = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

/** Parses a well-formed document of elements, attributes and text. */
function parseXml(text: string): XmlElement {
  const [head = ""] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(text) ?? [];
  if (head === "" || noCharacter.test(text)) {
    throw new Error(head === "" ? "no XML declaration" : "a character that XML does not have");
  }
  const top: XmlElement = { name: "", attributes: new Map(), children: [], text: "" };
  const open: XmlElement[] = [top];
  let at = head.length;
  while (at < text.length) {
    const element = open.at(-1) as XmlElement;
    if (text[at] !== "<") {
      const end = text.indexOf("<", at);
      element.text += unescaped(text.slice(at, end < 0 ? text.length : end));
      at = end < 0 ? text.length : end;
      continue;
    }
    tag.lastIndex = at;
    const [whole, closing, name = "", attributes = "", empty] = tag.exec(text) ?? [];
    if (whole === undefined) {
      throw new Error(`not XML: ${text.slice(at, at + 40)}`);
    }
    at += whole.length;
    if (closing === "/") {
      if (element.name !== name || open.length === 1) {
        throw new Error(`</${name}> in <${element.name}>`);
      }
      open.pop();
      continue;
    }
    const found = attributesOf(attributes);
    const child = { name, attributes: found, children: [], text: "" };
    element.children.push(child);
    if (empty !== "/") {
      open.push(child);
    }
  }
  const [root, ...more] = top.children;
  if (open.length > 1 || root === undefined || more.length > 0 || top.text.trim() !== "") {
    throw new Error("not one element");
  }
  return root;
}

function attributesOf(text: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [, name = "", value = ""] of text.matchAll(/([\w-]+)="([^"]*)"/g)) {
    if (found.has(name)) {
      throw new Error(`attribute ${name} twice`);
    }
    found.set(name, unescaped(value));
  }
  return found;
}

function unescaped(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)/.test(text) || text.includes("]]>")) {
    throw new Error(`not escaped: ${text.slice(0, 40)}`);
  }
  return text;
}
