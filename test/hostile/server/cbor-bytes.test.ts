import { codecs } from "@typekube/core";
import { describeHostileBytes } from "./changed-bytes.js";

describeHostileBytes(codecs.cbor);
