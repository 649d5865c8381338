import { html, nothing, render } from "lit-html";
import { request, storedKey, storeKey } from "./api.js";
import { events } from "./events.js";
import { failureNote } from "./failure.js";
import { groups } from "./groups.js";
import { records } from "./records.js";
import { requests } from "./requests.js";
import { attempt, changed, onChange, state } from "./state.js";
import { trash } from "./trash.js";
import { closeTrial, trialDialog } from "./trial.js";
import { webhooks } from "./webhooks.js";

/** @typedef {import("./state.js").View} View */

/** @type {Record<View, { title: string, open(part?: string): Promise<void>, view(): unknown, close?(): void }>} */
const VIEWS = { groups, records, trash, webhooks, events, requests };
const root = /** @type {HTMLElement} */ (document.querySelector("#console"));

onChange(() => {
  render(page(), root);
  if (!state.user && storedKey() === null && document.activeElement === document.body)
    /** @type {HTMLElement | null} */ (root.querySelector("input[name=key]"))?.focus();
});
addEventListener("hashchange", () => {
  // The link past the bar leads to the content of the same view.
  if (location.hash !== "#content") void openView();
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
  location.reload();
}

/** Opens the view that the address names, and what it names in the view: #view or #view/part. */
async function openView() {
  if (!state.user) return;
  const [name = "", part] = location.hash.slice(1).split("/");
  VIEWS[state.view].close?.();
  closeTrial();
  state.view = Object.hasOwn(VIEWS, name) ? /** @type {View} */ (name) : "groups";
  document.title = `${VIEWS[state.view].title} · Console of the Contact Workspace`;
  changed();
  queueMicrotask(() =>
    document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }),
  );
  await attempt(() => VIEWS[state.view].open(part));
}

/** Whether the key of the tab is being tried. */
function isSigningIn() {
  return storedKey() !== null && !state.failure;
}

function page() {
  return html`${state.user ? html`<div class="bar">${tabs()}${who(state.user)}</div>` : nothing}
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
  const links = Object.entries(VIEWS).map(
    ([name, { title }]) => html`<a href="#${name}" aria-current=${name === state.view ? "page" : nothing}>${title}</a>`,
  );
  return html`<nav class="tabs" aria-label="Console">${links}</nav>`;
}

function opened() {
  const { title, view } = VIEWS[state.view];
  return html`<h1>${title}</h1>
    ${failureNote(state.failure)} ${view()}`;
}

function signInForm() {
  return html`<form class="sign-in" @submit=${submit}>
    <h1>Console</h1>
    <p>Look into a workspace with one of its API keys. The key is kept in this tab and nowhere else, and is gone when you close it.</p>
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
