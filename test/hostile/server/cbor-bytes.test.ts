import { codecs } from "@typekube/core/internal";
import { describeHostileBytes } from "./changed-bytes.js";

describeHostileBytes(codecs.cbor);
