import { html, nothing } from "lit-html";
import { answerOf, send } from "./api.js";
import { failureNote } from "./failure.js";
import { focusOn } from "./parts.js";
import { attempt, changed, state } from "./state.js";

// A dialog for a write that is previewed first, and sent when the user confirms it. docs/guides/preview.md

/** @typedef {import("./api.js").Failure} Failure */
/** @typedef {{ type: string, data: any }} Event */
/** @typedef {{ summary: string, details: unknown, isNothing?: boolean }} Told isNothing: there is nothing to confirm */
/**
 * @typedef {object} Trial
 * @property {string} title
 * @property {string} verb label of the button that confirms
 * @property {"POST" | "PATCH" | "DELETE"} [method] POST unless told otherwise
 * @property {object} [body]
 * @property {() => Promise<string>} path
 * @property {() => string | null} [version] tag of the record that the write is for, asked for after the path
 * @property {boolean} [canRename] whether the body may be another name, where the old one is taken
 * @property {(preview: { data: any, changes: Event[] }) => Promise<Told>} foresee what would happen
 * @property {(data: any) => Promise<Told>} [tell] what has happened, in the dialog
 * @property {(data: any, requestId: string, etag: string | null) => import("./state.js").Notice} [note] the same in the
 *   view, instead of the dialog
 * @property {() => Promise<unknown>} after shows the change in the view
 */

/** @typedef {"busy" | "tried" | "sent" | "failed" | "done"} Step */

/** @type {{ trial: Trial, path: string, step: Step, told: Told | null, failure: Failure | null } | null} */
let open = null;

/** Opens the dialog and previews the write. @param {Trial} trial */
export function tryFirst(trial) {
  open = { trial, path: "", step: "busy", told: null, failure: null };
  changed();
  // The dialog has its content once the page is drawn.
  queueMicrotask(() => element()?.showModal());
  return preview();
}

/** Closes the dialog when the view below it goes, but for one that tells what was done: that may open the next view. */
export function leaveTrial() {
  if (open?.step !== "done") closeTrial();
}

function closeTrial() {
  element()?.close();
}

function element() {
  return /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog"));
}

/**
 * Runs a step; a failure is shown in the dialog.
 * @param {(mine: NonNullable<typeof open>) => Promise<void>} work @param {"busy" | "sent"} [name]
 */
async function step(work, name = "busy") {
  const mine = open;
  if (!mine) return;
  Object.assign(mine, { step: name, told: null, failure: null });
  focusNext();
  try {
    await work(mine);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    Object.assign(mine, { step: "failed", failure: error });
  }
  focusNext();
}

/** The write as a request. @param {Trial} trial @param {Record<string, string>} [headers] */
function requestOf({ method = "POST", body, version }, headers = {}) {
  const tag = version?.();
  return { method, body, headers: { ...headers, ...(tag && { "If-Match": tag }) } };
}

function preview() {
  return step(async (mine) => {
    const { trial } = mine;
    mine.path ||= await trial.path();
    mine.told = await trial.foresee(await answerOf(mine.path, requestOf(trial, { "Dry-Run": "true" })));
    mine.step = "tried";
  });
}

function confirm() {
  return step(async (mine) => {
    const { trial } = mine;
    const answer = await send(mine.path, requestOf(trial));
    const { data } = await answer.json();
    mine.told = (await trial.tell?.(data)) ?? null;
    mine.step = "done";
    if (trial.note) {
      const { headers } = answer;
      state.notice = trial.note(data, headers.get("x-request-id") ?? "", headers.get("etag"));
      closeTrial();
    }
    // A view that cannot be read again does not make the write fail.
    await attempt(trial.after);
  }, "sent");
}

/** Draws the dialog. The button that had the focus may be gone then. */
function focusNext() {
  changed();
  if (!open) return;
  if (isNameTaken()) focusOn("dialog input");
  else queueMicrotask(() => element()?.contains(document.activeElement) || focusOn("dialog .close"));
}

/** A name that is taken can be replaced where the dialog is the place for it. */
function isNameTaken() {
  return Boolean(
    open?.trial.canRename && open?.failure?.issues?.some(({ path }) => path.length === 1 && path[0] === "name"),
  );
}

/** @param {SubmitEvent} event */
function rename(event) {
  event.preventDefault();
  const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
  if (open) open.trial.body = { name: String(data.get("name")).trim() };
  void preview();
}

function closed() {
  const wasDone = open?.step === "done";
  const isNoted = wasDone && open?.trial.note;
  open = null;
  changed();
  // The row of the button may be gone, and another one at its place.
  if (wasDone || document.activeElement === document.body) focusOn(isNoted ? ".notice" : "#content");
}

/** The dialog, which is empty while it is closed. */
export function trialDialog() {
  return html`<dialog aria-labelledby="trial" @close=${closed}>${open ? content(open) : nothing}</dialog>`;
}

/** @param {NonNullable<typeof open>} shown */
function content({ trial, step, told, failure }) {
  const isReady = step === "tried" && !told?.isNothing;
  return html`<h2 id="trial">${trial.title}</h2>
    <p role="status">${["busy", "sent"].includes(step) ? "Waiting for the server…" : told?.summary}</p>
    ${told?.details ?? nothing}
    ${failureNote(failure)}
    ${isNameTaken() ? nameForm() : nothing}
    ${failure?.status === 412 ? overtaken(trial) : nothing}
    <div class="buttons">
      ${isReady ? html`<button class="main" @click=${confirm}>${trial.verb}</button>` : nothing}
      <button class="close" @click=${closeTrial}>${["sent", "done"].includes(step) || told?.isNothing ? "Close" : "Cancel"}</button>
    </div>`;
}

/** Others have changed the record since it was read. @param {Trial} trial */
function overtaken({ after }) {
  const reload = () => {
    closeTrial();
    void attempt(after);
  };
  return html`<p>The record has changed since this page read it, so nothing was written. Load it again, look at the new
      values, and try again.</p>
    <p><button @click=${reload}>Load it again</button></p>`;
}

function nameForm() {
  return html`<form @submit=${rename}>
    <div class="buttons">
      <label>Another name <input name="name" required maxlength="500" autocomplete="off" /></label>
      <button>Preview with this name</button>
    </div>
  </form>`;
}
