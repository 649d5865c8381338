import { join } from "node:path";

/** Folder of the guides. */
export const FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guides");
