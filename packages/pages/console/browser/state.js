// State of the console. Views are functions of it; code that changes it has everything drawn anew.

/**
 * @typedef {"records" | "board" | "duplicates" | "groups" | "trash" | "webhooks" | "events" | "requests" | "people" |
 * "companies" | "objects"} View the last three are pages of one record
 */
/** @typedef {{ text: string, undo?: () => unknown, isKept?: boolean }} Notice isKept: another view opens with it */

export const state = {
  /** @type {View} */
  view: "records",
  /** The user of the key; null before the sign-in. @type {{ id: string, fullName: string, email: string } | null} */
  user: null,
  /** Limits in the last answer. @type {{ limit: number, remaining: number } | null} */
  quota: null,
  /** Why something did not work, in words. @type {import("./api.js").Failure | null} */
  failure: null,
  /** The last write, above the view that it was made in. @type {Notice | null} */
  notice: null,
};

let draw = () => {};
let isDue = false;

/** Says what draws the console. @param {() => void} whole */
export function onChange(whole) {
  draw = whole;
}

/** Draws the console once all that happens now has happened. */
export function changed() {
  if (isDue) return;
  isDue = true;
  queueMicrotask(() => {
    isDue = false;
    draw();
  });
}

/**
 * Runs what a button starts, and shows why it failed.
 * @param {() => Promise<unknown>} work
 */
export async function attempt(work) {
  state.failure = null;
  changed();
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    state.failure = /** @type {import("./api.js").Failure} */ (error);
  }
  changed();
}
