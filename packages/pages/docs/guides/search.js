// The search box of the guides. The browser builds the index when a reader first uses the box, from the text of all
// sections, which the snippets need anyway.

const SHOWN_MAX = 12;
/** Characters of a snippet before and behind the first word that was found. */
const BEFORE = 40;
const BEHIND = 140;

const search = document.querySelector(".search");
const input = search.querySelector("input");
const results = search.querySelector(".results");
const list = search.querySelector("[role=listbox]");
const status = search.querySelector("[role=status]");

let finder;
let sections = [];
let active = -1;

async function makeFinder() {
  const { sections: address, finder: script, minisearch } = search.dataset;
  const [answer, { createFinder }, { default: MiniSearch }] = await Promise.all([
    fetch(address),
    import(script),
    import(minisearch),
  ]);
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  sections = await answer.json();
  return createFinder(MiniSearch, sections);
}

async function show() {
  const words = input.value.trim();
  if (words === "") {
    close();
    return;
  }
  try {
    finder ??= makeFinder();
    const found = (await finder)(words);
    // The reader may have gone on typing while the index was built.
    if (words === input.value.trim()) draw(words, found);
  } catch (error) {
    finder = undefined;
    draw(words, [], `The search does not work: ${error.message}`);
  }
}

function draw(words, found, message) {
  list.replaceChildren(...found.slice(0, SHOWN_MAX).map(option));
  status.textContent = message ?? countOf(words, found);
  results.hidden = false;
  input.setAttribute("aria-expanded", String(found.length > 0));
  activate(found.length > 0 ? 0 : -1);
}

function countOf(words, found) {
  const [first] = found;
  if (!first) return `Nothing found for “${words}”.`;
  if (!first.hasAll) return "No section has all of these words. Sections with some of them:";
  const count = found.length === 1 ? "1 result" : `${found.length} results`;
  return found.length > SHOWN_MAX ? `${count}, the best ${SHOWN_MAX}` : count;
}

function option({ id, terms }, number) {
  const { href, chapter, heading, prose, code } = sections[id];
  const link = document.createElement("a");
  link.id = `found-${number}`;
  link.setAttribute("role", "option");
  link.tabIndex = -1;
  link.href = href;
  link.append(whereabouts(chapter, heading), snippet([prose, code], terms));
  return link;
}

/** "Filters › like"; the text before the first section of a chapter has the title of the chapter only. */
function whereabouts(chapter, heading) {
  return heading === undefined
    ? element("span", "where", element("strong", "", chapter))
    : element("span", "where", `${chapter} › `, element("strong", "", heading));
}

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className !== "") made.className = className;
  made.append(...children);
  return made;
}

/**
 * Some text around the first word that was found, with all found words marked. The index keeps words without a plural
 * "s".
 */
function snippet(texts, terms) {
  const words = terms.map((term) => term.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)).join("|");
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${words})s?(?![\p{L}\p{N}])`, "giu");
  // If only the heading has the words, the section is shown from its beginning.
  const text = texts.find((candidate) => candidate.search(pattern) >= 0) ?? texts[0];
  const at = Math.max(0, text.search(pattern));
  const start = at <= BEFORE ? 0 : text.lastIndexOf(" ", at - BEFORE) + 1;
  const isWhole = at + BEHIND >= text.length;
  const shown = text.slice(start, isWhole ? text.length : text.lastIndexOf(" ", at + BEHIND));
  const parts = [start > 0 ? "… " : ""];
  let end = 0;
  for (const { 0: word, index: found } of shown.matchAll(pattern)) {
    parts.push(shown.slice(end, found), element("mark", "", word));
    end = found + word.length;
  }
  parts.push(shown.slice(end), isWhole ? "" : " …");
  return element("span", "snippet", ...parts);
}

function activate(place) {
  list.children[active]?.removeAttribute("aria-selected");
  active = place;
  const chosen = list.children[place];
  chosen?.setAttribute("aria-selected", "true");
  chosen?.scrollIntoView({ block: "nearest" });
  if (chosen) input.setAttribute("aria-activedescendant", chosen.id);
  else input.removeAttribute("aria-activedescendant");
}

function close() {
  results.hidden = true;
  input.setAttribute("aria-expanded", "false");
  list.replaceChildren();
  activate(-1);
}

const KEYS = {
  ArrowDown: () => activate((active + 1) % list.children.length),
  ArrowUp: () => activate((active - 1 + list.children.length) % list.children.length),
  Enter: () => list.children[active].click(),
};

input.addEventListener("input", () => void show());
input.addEventListener("focus", () => void show());
input.addEventListener("keydown", (event) => {
  if (event.key === "Escape") close();
  if (active < 0 || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
// A link within the page leaves the page open, and sends the focus to its heading.
list.addEventListener("click", () => {
  input.value = "";
  close();
});
search.addEventListener("focusout", (event) => {
  if (!search.contains(event.relatedTarget)) close();
});
document.addEventListener("keydown", (event) => {
  const typing = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? "");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
});
