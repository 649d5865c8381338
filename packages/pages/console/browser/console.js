import { html, nothing, render } from "lit-html";
import { addressNow } from "./address.js";
import { request, storedKey, storeKey } from "./api.js";
import { board } from "./board.js";
import { forgetColumns } from "./columns.js";
import { duplicates } from "./duplicates.js";
import { events } from "./events.js";
import { failureNote } from "./failure.js";
import { groups } from "./groups.js";
import { focusOn } from "./parts.js";
import { recordPage } from "./record.js";
import { records } from "./records.js";
import { requests } from "./requests.js";
import { closeSearch, searchBox } from "./search-box.js";
import { attempt, changed, onChange, state } from "./state.js";
import { trash } from "./trash.js";
import { leaveTrial, trialDialog } from "./trial.js";
import { webhooks } from "./webhooks.js";

/** @typedef {import("./state.js").View} View */

/**
 * @typedef {{ title: string | (() => string), tab?: View, open(parts: string[], query: string): Promise<void>, view():
 * unknown, close?(): void }} Opened tab: the view that it belongs to, when it has no tab of its own
 */

/** @type {Record<View, Opened>} */
const VIEWS = {
  records,
  board,
  duplicates,
  groups,
  trash,
  webhooks,
  events,
  requests,
  people: recordPage("people"),
  companies: recordPage("companies"),
  objects: recordPage("objects"),
};
const root = /** @type {HTMLElement} */ (document.querySelector("#console"));

onChange(() => {
  render(page(), root);
  if (state.user) document.title = `${titleOf(VIEWS[state.view])} · Console of the Contact Workspace`;
  if (!state.user && storedKey() === null && document.activeElement === document.body)
    /** @type {HTMLElement | null} */ (root.querySelector("input[name=key]"))?.focus();
});
addEventListener("hashchange", () => {
  // The link past the bar leads to the content of the same view.
  if (location.hash === "#content") return;
  void openView();
  // A link that is gone with its view leaves the keyboard nowhere.
  queueMicrotask(() => {
    if (document.activeElement === document.body) focusOn("h1");
  });
});
if (storedKey() === null) changed();
else void attempt(signIn);

async function signIn() {
  state.user = await request("/v1/users/me").catch((error) => {
    // A key that does not work is not kept.
    if (error.status === 401) storeKey(null);
    throw error;
  });
  await openView();
}

function signOut() {
  storeKey(null);
  forgetColumns();
  location.reload();
}

/** Opens the view that the address names. */
async function openView() {
  if (!state.user) return;
  const { view, parts, query } = addressNow();
  VIEWS[state.view].close?.();
  leaveTrial();
  closeSearch();
  state.view = Object.hasOwn(VIEWS, view) ? /** @type {View} */ (view) : "records";
  state.notice = state.notice?.isKept ? { ...state.notice, isKept: false } : null;
  changed();
  queueMicrotask(() => {
    document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  });
  await attempt(() => VIEWS[state.view].open(parts, query));
}

/** The words of a view. @param {Opened} view */
function titleOf({ title }) {
  return typeof title === "string" ? title : title();
}

/** Whether the key of the tab is being tried. */
function isSigningIn() {
  return storedKey() !== null && !state.failure;
}

function page() {
  return html`${state.user ? html`<div class="bar">${searchBox()}${who(state.user)}${tabs()}</div>` : nothing}
    <main id="content" tabindex="-1">${state.user ? opened() : isSigningIn() ? html`<p class="soft">Signing in…</p>` : signInForm()}</main>
    ${trialDialog()}`;
}

/** @param {{ fullName: string, email: string }} user */
function who({ fullName, email }) {
  const { quota } = state;
  return html`<section class="who" aria-label="User">
    <span>${fullName}</span> <span class="soft">${email}</span>
    ${quota ? html`<span class="soft">${quota.remaining} of ${quota.limit} requests left</span>` : nothing}
    <button @click=${signOut}>Sign out</button>
  </section>`;
}

function tabs() {
  const { tab = state.view } = VIEWS[state.view];
  const links = Object.entries(VIEWS).flatMap(([name, view]) =>
    view.tab ? [] : [html`<a href="#${name}" aria-current=${name === tab ? "page" : nothing}>${titleOf(view)}</a>`],
  );
  return html`<nav class="tabs" aria-label="Console">${links}</nav>`;
}

function opened() {
  const view = VIEWS[state.view];
  return html`<h1 tabindex="-1">${titleOf(view)}</h1>
    ${noticeLine()}
    ${failureNote(state.failure)} ${view.view()}`;
}

/** The last write, with the way back. Its place is there without one too, so that screen readers announce it. */
function noticeLine() {
  const { notice } = state;
  return html`<div role="status" class="notice" tabindex="-1">${
    notice
      ? html`<p>${notice.text} ${notice.undo ? html`<button @click=${notice.undo}>Undo</button>` : nothing}</p>`
      : nothing
  }</div>`;
}

function signInForm() {
  return html`<form class="sign-in" @submit=${submit}>
    <h1>Console</h1>
    <p>See and change the records of a workspace with one of its API keys. The key is kept in this tab and nowhere else, and is gone when you close it.</p>
    <label>API key <input name="key" type="password" autocomplete="off" required placeholder="cwk_…" /></label>
    <button class="main">Sign in</button>
    ${failureNote(state.failure)}
    <p class="soft">No key yet? <a href="/docs/guides/get-a-key">Get a key</a>: the server prints one when it starts for the
      first time, and a command makes others.</p>
  </form>`;
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const data = new FormData(/** @type {HTMLFormElement} */ (event.target));
  storeKey(String(data.get("key")).trim());
  void attempt(signIn);
}
