import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; html: string; failureSummary: string }[];
}

/**
 * What the rules of axe find wrong with a page as it is now, a text for each element. All rules count that axe runs by
 * itself: those of WCAG and its best practices.
 *
 * @param without rules that it need not judge
 * @param only the rules that it judges, if not all
 *
 * The debugger of the browser puts axe into the page, which the Content-Security-Policy of the page does not hinder.
 */
export async function violations(
  page: Page,
  { without = [], only }: { without?: string[]; only?: string[] } = {},
): Promise<string[]> {
  // The browser calls a ResizeObserver when it draws, and a page that nobody looks at may not have been drawn yet.
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))");
  await page.evaluate(axe.source);
  const rules = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({
    resultTypes: ["violations"],
    preload: false,
    rules,
    ...(only && { runOnly: only }),
  });
  const found = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, ${options}).then(({ violations }) => ({ violations }))`,
  );
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, html, failureSummary }) =>
        `${id} (${help}): ${target.join(" ")}: ${html.slice(0, 200)}\n${failureSummary}`,
    ),
  );
}
