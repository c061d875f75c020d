import { connect } from "typekube";
import { Pod } from "typekube/api/core/v1";
import { runCell } from "../cell.js";
import { readVariant } from "./typekube-variant.js";
import { warmed } from "./warmed.js";

await runCell(
  async ({ url, variant }) => {
    const client = await connect({ server: url });
    return warmed(variant, () => client.resource(Pod).list(readVariant(variant)));
  },
  (list) => list.items.length,
);
