// Script of the pages of the guides, besides the search.

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
