import { scalarText, yamlEvents } from "@typekube/core/yaml";
import * as yaml from "js-yaml";
import type { TextEntry, TextList, TextMapping, TextNode, TextScalar } from "./text-node.js";

/** A collection that is being read. */
interface Frame {
  readonly node: TextList | TextMapping;
  readonly anchor: string;
  key: { readonly name: string; readonly start: number; readonly end: number } | undefined;
}

/**
 * Reads the positions of all values of one YAML or JSON document, whose text has been decoded successfully before. An
 * alias is the node of its anchor, so that a position leads to the text that was written.
 */
export function readTextNode(text: string): TextNode | undefined {
  const { EVENT_ID } = yaml;
  const frames: Frame[] = [];
  const anchors = new Map<string, TextNode>();
  let root: TextNode | undefined;
  let last = 0;
  const add = (node: TextNode, anchor: string) => {
    if (anchor !== "") {
      anchors.set(anchor, node);
    }
    const frame = frames.at(-1);
    last = Math.max(last, node.end);
    if (frame === undefined) {
      root ??= node;
    } else if (frame.node.form === "list") {
      frame.node.items.push(node);
    } else if (frame.key === undefined) {
      frame.key = { name: nameOf(node), start: node.start, end: node.end };
    } else {
      addEntry(frame.node, frame.key, node);
      frame.key = undefined;
    }
  };
  for (const event of yamlEvents(yaml, text)) {
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
        frames.push({
          node: { form: "list", start: event.start, end: event.start, items: [] },
          anchor: anchorOf(text, event),
          key: undefined,
        });
        break;
      case EVENT_ID.MAPPING:
        frames.push({
          node: {
            form: "mapping",
            start: event.start,
            end: event.start,
            entries: new Map(),
            replaced: [],
          },
          anchor: anchorOf(text, event),
          key: undefined,
        });
        break;
      case EVENT_ID.SCALAR:
        add(scalarOf(text, event, last), anchorOf(text, event));
        break;
      case EVENT_ID.ALIAS:
        add(anchors.get(anchorOf(text, event)) ?? emptyAt(event.anchorStart), "");
        break;
      case EVENT_ID.POP: {
        const frame = frames.pop();
        if (frame !== undefined) {
          frame.node.end = Math.max(frame.node.start, last);
          add(frame.node, frame.anchor);
        }
        break;
      }
      default:
        break;
    }
  }
  return root;
}

function addEntry(
  { entries, replaced }: TextMapping,
  { name, start, end }: { readonly name: string; readonly start: number; readonly end: number },
  value: TextNode,
): void {
  if (name !== "<<") {
    const before = entries.get(name);
    if (before !== undefined) {
      replaced.push({ key: name, value: before.value });
    }
    entries.set(name, { keyStart: start, keyEnd: end, value });
    return;
  }
  for (const merged of value.form === "list" ? value.items : [value]) {
    for (const [key, entry] of merged.form === "mapping" ? merged.entries : noEntries) {
      if (entries.has(key)) {
        replaced.push({ key, value: entry.value });
      } else {
        entries.set(key, entry);
      }
    }
  }
}

const noEntries: ReadonlyMap<string, TextEntry> = new Map();

function nameOf(node: TextNode): string {
  return node.form === "scalar" ? node.text : "";
}

function scalarOf(text: string, event: yaml.ScalarEvent, last: number): TextScalar {
  const { LITERAL_BLOCK, FOLDED_BLOCK, PLAIN } = yaml.SCALAR_STYLE;
  const { valueStart, valueEnd, style } = event;
  if (valueStart < 0) {
    return emptyAt(last);
  }
  const isBlock = style === LITERAL_BLOCK || style === FOLDED_BLOCK;
  const isText = style !== PLAIN;
  // The range of a quoted scalar includes its quotes.
  const quote = isText && !isBlock ? 1 : 0;
  return {
    form: "scalar",
    start: valueStart - quote,
    end: valueEnd + quote,
    isBlock,
    isText,
    text: scalarText(yaml, text, event),
  };
}

function emptyAt(at: number): TextScalar {
  return { form: "scalar", start: at, end: at, isBlock: false, isText: false, text: "" };
}

function anchorOf(
  text: string,
  { anchorStart, anchorEnd }: { readonly anchorStart: number; readonly anchorEnd: number },
): string {
  return anchorStart < 0 ? "" : text.slice(anchorStart, anchorEnd);
}
