// Script of the pages of the guides, besides the search.

// The address changes with the content of the script.
const { FORMS, requestCode } = await import(document.querySelector("main").dataset.requestCode);

/** The form in which the reader wants requests, kept for the tab. */
const STORED_FORM = "form";
/** The form that the guides are written in. */
const PLAIN = "HTTP";
const blocks = [...document.querySelectorAll("[data-request]")].map(offerForms);

/** Adds a choice of forms to the request of a block. Gives a function that shows one of them. */
function offerForms(block) {
  const code = block.querySelector("code");
  const plain = { html: code.innerHTML, text: code.textContent };
  const choice = document.createElement("select");
  choice.setAttribute("aria-label", "Show the request as");
  for (const form of [...Object.keys(FORMS), PLAIN]) choice.add(new Option(form));
  choice.addEventListener("change", () => {
    sessionStorage.setItem(STORED_FORM, choice.value);
    for (const show of blocks) show(choice.value);
  });
  block.querySelector(".label").append(choice);
  return (form) => {
    choice.value = form;
    if (form === PLAIN) code.innerHTML = plain.html;
    else
      code.textContent = requestCode(plain.text, {
        form,
        server: location.origin,
        hasKey: block.dataset.request === "keyed",
      });
  };
}

const stored = sessionStorage.getItem(STORED_FORM);
for (const show of blocks) show(stored === PLAIN || Object.hasOwn(FORMS, stored ?? "") ? stored : "curl");

const menu = document.querySelector("#menu");
// A link to a heading of the same page leaves the menu of narrow screens open, over what it leads to.
menu.addEventListener("click", (event) => {
  if (event.target.closest("a") && menu.matches(":popover-open")) menu.hidePopover();
});

/** The list of chapters is longer than most windows. It begins near the chapter that is open, wherever it scrolls. */
function showHere() {
  const here = menu.querySelector(".chapters [aria-current]");
  for (const list of [menu, here.closest("nav")])
    list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - list.clientHeight / 2;
}
menu.addEventListener("toggle", showHere);
showHere();

// Browsers have no clipboard for pages that come without TLS from another machine.
if (globalThis.isSecureContext)
  for (const code of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.className = "copy";
    button.type = "button";
    button.textContent = "Copy";
    const say = (words) => {
      button.textContent = words;
    };
    button.addEventListener("click", () => {
      const copied = navigator.clipboard.writeText(code.innerText);
      copied.then(
        () => say("Copied"),
        () => say("Not allowed"),
      );
      setTimeout(say, 2000, "Copy");
    });
    const frame = document.createElement("div");
    frame.className = "copied";
    code.replaceWith(frame);
    frame.append(code, button);
  }

/** Only blocks that are wider than their place take part in tabbing, so that the keyboard can scroll them. */
const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const element of document.querySelectorAll("main pre, main .table")) widths.observe(element);
