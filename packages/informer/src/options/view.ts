import type { View } from "@typekube/client/internal";
import { type OptionCheck, oneOf } from "@typekube/core/internal";

const views: Readonly<Record<View, true>> = { full: true, metadata: true };

/** Accepts the views of objects. */
export const view: OptionCheck = oneOf(...Object.keys(views));
