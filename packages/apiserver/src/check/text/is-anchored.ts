import { yamlEvents } from "@typekube/core/yaml";
import * as yaml from "js-yaml";

/**
 * Returns true when the scalar at an offset, or a collection around it, has an anchor: then aliases may have the same value.
 *
 * @param text - one document, which has been decoded successfully before.
 */
export function isAnchored(text: string, offset: number): boolean {
  const { EVENT_ID } = yaml;
  const around: boolean[] = [];
  for (const event of yamlEvents(yaml, text)) {
    switch (event.type) {
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.MAPPING:
        around.push(event.anchorStart >= 0);
        break;
      case EVENT_ID.SCALAR:
        if (event.valueStart >= 0 && event.valueStart <= offset && offset < event.valueEnd) {
          return event.anchorStart >= 0 || around.includes(true);
        }
        break;
      case EVENT_ID.POP:
        around.pop();
        break;
      default:
        break;
    }
  }
  return false;
}
