// Mends of the reference for users of the keyboard or a screen reader. Scalar draws parts of the page whenever they
// come into sight,
// so each new part is looked through. Each selector no longer matches a mended part.

const drop = (name) => (element) => element.removeAttribute(name);
const set = (attributes) => (element) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

/** Selector → what is done to the elements that match it. */
const MENDS = [
  // Selection is of tabs and options; what a page is about is its current entry.
  ["button[aria-selected=true]:not([role]):not([aria-current])", set({ "aria-current": "true" })],
  ["button[aria-selected=false][aria-current]:not([role])", drop("aria-current")],
  ["button[aria-selected]:not([role])", drop("aria-selected")],
  ["aside[role=navigation]", drop("role")],
  ["button[role=search]", drop("role")],
  ["button[role=none]", drop("role")],
  // The bar of the page is its banner; this one stands above the text on narrow screens and has a button and a name.
  [".t-doc__header > header:not([role])", set({ role: "none" })],
  [".t-doc__header:not([role])", set({ role: "region", "aria-label": "Contents" })],
  ["main.references-rendered:not([id])", set({ id: "content", tabindex: "-1" })],
  // The list of tabs has a button with the other languages.
  [
    ".client-libraries__select:not([role])",
    set({ role: "tab", "aria-selected": "false", "aria-label": "More languages" }),
  ],
  ["button.code-copy:not([aria-label]), button.group\\/copy-button:not([aria-label])", set({ "aria-label": "Copy" })],
  ["button.group\\/copy-button[aria-controls]", drop("aria-controls")],
  ["[role=dialog] > section[aria-label^=Notifications]", set({ "aria-label": "Messages of the console" })],
  ["section.contents[aria-labelledby]", drop("aria-labelledby")],
  [".code-input-lite__editor[aria-autocomplete]:not([aria-expanded])", set({ "aria-expanded": "false" })],
  ["[role=combobox][aria-controls]:not([aria-expanded])", set({ "aria-expanded": "true" })],
  [
    "[aria-label^='undefined ']",
    (field) => set({ "aria-label": field.getAttribute("aria-label").slice("undefined ".length) })(field),
  ],
  // A parameter with a list of values shows the one that was chosen, and nothing before.
  ["td button[aria-haspopup=menu]:not([aria-label]):has(> span:empty)", set({ "aria-label": "Choose a value" })],
  ["td button[aria-label='Choose a value']:has(> span:not(:empty))", drop("aria-label")],
  ["td input[type=checkbox]:not([aria-label])", set({ "aria-label": "Send this one" })],
  [".cm-content[contenteditable=true]:not([aria-label])", set({ "aria-label": "Body of the request" })],
  [
    ".cm-content[contenteditable=false]:not([aria-label])",
    set({ "aria-label": "Body of the answer", "aria-readonly": "true" }),
  ],
  [".cm-scroller[tabindex='-1']", set({ tabindex: "0" })],
];

function mend() {
  for (const [selector, change] of MENDS) for (const element of document.querySelectorAll(selector)) change(element);
  mendModal();
  followHit();
}

/** While the console is open nothing behind it takes the focus. */
function mendModal() {
  const isOpen = document.querySelector(".scalar-client--open") !== null;
  for (const behind of document.querySelectorAll(".skip, .top, .references-layout > :is(aside, main, .t-doc__header)"))
    if (behind.inert !== isOpen) behind.inert = isOpen;
}

/** The fragment of the address when something was chosen in the search; undefined when nothing was. */
let placeBefore;

/** Sends the focus where a hit of the search has led. Scalar gives it back to the button that opens the search. */
function followHit() {
  if (placeBefore === undefined || placeBefore === location.hash) return;
  if (document.querySelector("[role=combobox][aria-controls$=search-result]")) return;
  const place = document.querySelector(`main [id$="${CSS.escape(decodeURIComponent(location.hash.slice(1)))}"]`);
  if (!place) return;
  placeBefore = undefined;
  place.tabIndex = -1;
  setTimeout(() => place.focus());
}

for (const kind of ["click", "keydown"])
  document.addEventListener(
    kind,
    ({ target, key }) => {
      const isChosen =
        kind === "click" ? target.closest("[role=option]") : key === "Enter" && target.closest("[role=combobox]");
      if (isChosen) placeBefore = location.hash;
    },
    true,
  );

let isPlanned = false;
const watcher = new MutationObserver(() => {
  if (isPlanned) return;
  isPlanned = true;
  requestAnimationFrame(() => {
    isPlanned = false;
    mend();
  });
});
watcher.observe(document.body, {
  subtree: true,
  childList: true,
  attributeFilter: ["aria-autocomplete", "aria-expanded", "aria-label", "aria-selected", "class", "role", "style"],
});
mend();

// On a narrow screen the answer is below everything that can be sent.
document.addEventListener("click", ({ target }) => {
  const button = target.closest("[role=dialog] button");
  if (button?.textContent.trim().startsWith("Send") && globalThis.innerWidth <= 800)
    document.querySelector("[role=dialog] section[aria-label=Response]")?.scrollIntoView();
});

// The reference takes the fragment of an address for a place of its own.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.querySelector("#content")?.focus();
});
