import { join } from "node:path";

/** Where the guides lie. */
export const FOLDER = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guides");
