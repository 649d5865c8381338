import { html, nothing } from "lit-html";
import { linkTo, referenceLink } from "./address.js";
import { request } from "./api.js";
import { counted, kindText } from "./event-text.js";
import { failureNote } from "./failure.js";
import { groupName } from "./groups.js";
import { changed } from "./state.js";
import { fieldText } from "./value-text.js";

// The search over everything, in the bar of every view. docs/guides/console.md#search

/**
 * @typedef {{ id: string, entityType: string, fullName: string, objectType?: string, groupId?: string, entity?: { id:
 * string, entityType: string, fullName: string }, matched: { path: string[], text: string }[] }} Hit
 */

/** Time without a key press after which the server is asked. */
const PAUSE_MS = 200;
/** Most characters of a question. */
const LENGTH_MAX = 200;

let query = "";
/** Null while there is no answer to the query. @type {Hit[] | null} */
let hits = null;
/** @type {import("./api.js").Failure | null} */
let failure = null;
let isOpen = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** The question that is being asked. @type {AbortController | undefined} */
let asking;

addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, textarea, select") || document.querySelector("dialog[open]")) return;
  const input = field();
  if (!input) return;
  event.preventDefault();
  input.focus();
  input.select();
});

addEventListener("pointerdown", ({ target }) => {
  if (isOpen && target instanceof Element && !target.closest(".search")) closeSearch();
});

function field() {
  return /** @type {HTMLInputElement | null} */ (document.querySelector(".search input"));
}

/** Closes the results. The words stay. */
export function closeSearch() {
  clearTimeout(timer);
  asking?.abort();
  isOpen = false;
  changed();
}

/** @param {string} words */
function ask(words) {
  query = words;
  failure = null;
  clearTimeout(timer);
  asking?.abort();
  isOpen = query.trim() !== "";
  if (isOpen) timer = setTimeout(() => void answer(), PAUSE_MS);
  else hits = null;
  changed();
}

/** Only the last question is answered: those before are given up. */
async function answer() {
  const mine = new AbortController();
  asking = mine;
  try {
    const { items } = await request(`/v1/search?q=${encodeURIComponent(query)}`, { signal: mine.signal });
    if (asking === mine && !mine.signal.aborted) hits = items;
  } catch (error) {
    if (mine.signal.aborted || !(error instanceof Error)) return;
    hits = null;
    failure = /** @type {import("./api.js").Failure} */ (error);
  }
  changed();
}

/** The box and its results. */
export function searchBox() {
  const write = (/** @type {Event} */ { target }) => ask(/** @type {HTMLInputElement} */ (target).value);
  return html`<form role="search" class="search" @submit=${submit} @keydown=${keys} @focusout=${leave}>
    <input type="search" aria-label="Search" placeholder="Search ( / )" autocomplete="off" maxlength=${LENGTH_MAX}
      aria-controls="hits" .value=${query} @input=${write} @focus=${reopen} />
    <div class="hits" id="hits" ?hidden=${!isOpen}>
      <p role="status" class="soft">${isOpen ? countText() : nothing}</p>
      ${failure ? failureNote(failure) : nothing}
      <ul>${hits?.map(hitItem)}</ul>
    </div>
  </form>`;
}

function countText() {
  if (failure) return "The search has failed.";
  if (!hits) return "Searching…";
  return hits.length === 0 ? "Nothing found." : `${counted(hits.length, "result")}, best first`;
}

/** @param {Hit} hit */
function hitItem(hit) {
  const { entityType, objectType, fullName, entity, matched } = hit;
  return html`<li><a href=${linkOf(hit)} @click=${closeSearch}>
    <span class="mark">${objectType ?? kindText(entityType)}</span> <b>${fullName || "without a name"}</b>
    ${entity ? html`<span class="soft">about ${entity.fullName}</span>` : nothing}
    ${matched.map(({ path, text }) => html`<span class="soft found">${fieldText(path, groupName)}: ${text}</span>`)}
  </a></li>`;
}

/** Link to the page of a record. Notes and tasks stand on the page of what they are about. @param {Hit} hit */
function linkOf({ id, groupId, objectType, entity }) {
  if (groupId && objectType) return linkTo("objects", [groupId, objectType, id]);
  return referenceLink(entity ?? { id }) ?? "#records";
}

function reopen() {
  if (query.trim() === "" || isOpen) return;
  if (hits) isOpen = true;
  else ask(query);
  changed();
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  clearTimeout(timer);
  if (query.trim() !== "") void answer();
}

/** Arrows go through the results, and Escape goes back to the box. @param {KeyboardEvent} event */
function keys(event) {
  const links = [...document.querySelectorAll(".hits a")];
  const here = links.indexOf(/** @type {Element} */ (document.activeElement));
  if (event.key === "Escape" && isOpen) {
    // The focus would open it.
    field()?.focus();
    closeSearch();
  } else if (event.key === "ArrowDown" && links.length > 0) move(links[Math.min(here + 1, links.length - 1)]);
  else if (event.key === "ArrowUp" && here >= 0) move(links[here - 1] ?? field());
  else return;
  event.preventDefault();
}

/** @param {Element | null | undefined} element */
function move(element) {
  if (element instanceof HTMLElement) element.focus();
}

/** @param {FocusEvent} event */
function leave({ relatedTarget, currentTarget }) {
  const box = /** @type {HTMLElement} */ (currentTarget);
  if (isOpen && relatedTarget instanceof Node && !box.contains(relatedTarget)) closeSearch();
}
