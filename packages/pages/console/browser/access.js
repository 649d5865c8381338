import { send } from "./api.js";

// Whether the key of the tab can write. No answer of the API tells it, so a write is previewed that does nothing.

/** An id that no request has. */
const NO_REQUEST = "00000000-0000-0000-0000-000000000000";

/** Null until it is known. @type {boolean | null} */
let isFull = null;

/** Finds out whether the key can write, once. */
export async function learnAccess() {
  if (isFull !== null) return;
  const body = { requestId: NO_REQUEST };
  try {
    await send("/v1/undo", { method: "POST", body, headers: { "Dry-Run": "true" } });
    isFull = true;
  } catch (error) {
    if (/** @type {any} */ (error).status !== 403) throw error;
    isFull = false;
  }
}

/** Whether buttons are shown that write. */
export function canWrite() {
  return isFull === true;
}
