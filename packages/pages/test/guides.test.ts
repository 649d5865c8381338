import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { codeBlock } from "../docs/guides/code-block.ts";
import { targetOf } from "../docs/guides/links.ts";
import { render as rendered } from "../docs/guides/markdown.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "..", "docs", "guides");
const render = (text: string) => {
  const { html, sections } = rendered(text, FOLDER);
  return { html: html(), sections };
};

describe("The page of a guide", () => {
  it("has the anchors that GitHub gives to its headings", () => {
    const { sections } = render(
      "# Lists and filters\n\n## 400 or 422\n\n## Text\n\n### `like`, *or not*?\n\n## Text\n",
    );
    expect(sections.map(({ level, id, heading }) => [level, id, heading])).toEqual([
      [1, "lists-and-filters", "Lists and filters"],
      [2, "400-or-422", "400 or 422"],
      [2, "text", "Text"],
      [3, "like-or-not", "like, or not?"],
      [2, "text-1", "Text"],
    ]);
  });

  it("gives the focus to its headings, and links those of its sections", () => {
    const { html } = render("# One\n\n## Two\n");
    expect(html).toContain('<h1 id="one" tabindex="-1">One</h1>');
    expect(html).toContain('<h2 id="two" tabindex="-1">Two <a class="anchor" href="#two"');
  });

  it("shows tags as text and leads to no script", () => {
    const { html } = render(
      "# A <b>title</b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) `<i>`\n\n```<x>\n<y>\n```\n",
    );
    expect(html).not.toMatch(/<(script|b|i|x|y)>|href="javascript:/);
    expect(html).toContain("&lt;script&gt;");
  });

  it.each([
    ["filters.md#like", { href: "/docs/guides/filters#like" }],
    ["errors.md#codes", { href: "/docs/errors#codes" }],
    ["./people.md", { href: "/docs/guides/people" }],
    ["README.md", { href: "/docs/guides" }],
    ["../openapi.json", { href: "/docs" }],
    ["#like", { href: "#like" }],
    ["https://example.test/a.md", { href: "https://example.test/a.md" }],
    ["../decisions/0004-filters.md#why", { file: "docs/decisions/0004-filters.md" }],
    ["../../README.md", { file: "README.md" }],
    ["images/idempotency.svg", { href: "/docs/guides/images/idempotency.svg" }],
    ["images/../../secret.svg", { file: "docs/secret.svg" }],
  ])("sends the link %j where it leads on the server", (link, target) => {
    expect(targetOf(link)).toEqual(target);
  });

  it("names the file in the place of a link that leads to no page", () => {
    const { html, sections } = render(
      "# One\n\nSee [the *reasons*](../decisions/0004-filters.md), [two](two.md#three).\n",
    );
    expect(html).toContain("See the <em>reasons</em> (<code>docs/<wbr>decisions/<wbr>0004-filters.<wbr>md</code>), <a");
    expect(html).toContain('<a href="/docs/guides/two#three">two</a>.');
    expect(sections[0]?.prose).toBe("See the reasons (docs/decisions/0004-filters.md), two. ");
  });

  it("does not repeat a path that the words of the link say", () => {
    expect(render("# One\n\nSee [`k8s/nats.conf`](../../k8s/nats.conf).\n").html).toContain(
      '<p>See <code class="whole">k8s/nats.conf</code>.</p>',
    );
  });

  it("shows a picture with its words and its size, under an address that changes with it", () => {
    const { html, sections } = render("# One\n\n![A write & its answer](images/idempotency.svg)\n");
    expect(html).toMatch(
      /<img class="picture" src="\/docs\/guides\/images\/idempotency\.svg\?v=[\w-]{12}" width="360" height="\d+" alt="A write &amp; its answer">/,
    );
    expect(sections[0]?.prose).toBe("A write & its answer ");
  });

  it.each(["images/nowhere.svg", "https://example.test/a.svg", "../openapi.json"])(
    "shows the words of %j, which is none of its pictures",
    (address) => {
      const { html } = render(`# One\n\n![A write](${address})\n`);
      expect(html).toContain("<p>A write</p>");
    },
  );

  const tableOf = (headings: string, cells: string) =>
    render(`# One\n\n${headings}\n${headings.replaceAll(/[^|]+/g, "---")}\n${cells}\n`).html;

  it("makes rows that are too wide for a phone able to stand as cards, with the headings in front of the cells", () => {
    const html = tableOf("| Command | Does | Prints with `--json` |", "| `a` | makes workspaces what it says | |");
    expect(html).toContain('<table role="table" class="stacked">');
    expect(html).toContain('<th role="columnheader">Command</th>');
    expect(html).toContain('<td role="cell"><div><code class="whole">a</code></div></td>');
    expect(html).toContain('<td role="cell" data-label="Does"><div>makes workspaces what it says</div></td>');
    expect(html).toContain('<td role="cell" data-label="Prints with \u2011\u2011json"><div></div></td>');
  });

  it("gives the cells of two columns no headings: the second says what it is by itself", () => {
    const html = tableOf("| Operation | Does |", "| POST `/v1/webhooks/{webhookId}/test` | sends a test |");
    expect(html).toContain('class="stacked"');
    expect(html).not.toContain("data-label");
  });

  it.each([
    ["| Policy | Requests | In any |", "| `default` | 600 | 60 seconds |"],
    ["| Path | Answers |", "| `GET /livez` | 200 as long as the process answers, also while it waits |"],
  ])("leaves a table that fits as it is: %s", (headings, cells) => {
    expect(tableOf(headings, cells)).toContain('<div class="table"><table>');
  });

  it("breaks no option of a command behind its hyphens", () => {
    expect(render("# One\n\n`keys create --workspace W --user EMAIL`\n").html).toContain(
      '<code>keys create <span class="whole">--workspace</span> W <span class="whole">--user</span> EMAIL</code>',
    );
  });

  it("shows an example as a request and its answer", () => {
    const html = codeBlock(
      "http",
      'PATCH /v1/people/{personId} # as bob\nIdempotency-Key: a\n\n{"jobTitle": "x<y"}\n---\n403\n{"error": {"code": "FORBIDDEN"}}\n',
    );
    expect(
      html
        .replaceAll(/<\/?span[^>]*>/g, "")
        .replaceAll(/<[^>]+>/g, "|")
        .replaceAll(/\|+/g, "|"),
    ).toBe(
      "|Request as bob|PATCH| /v1/people/{personId}\nIdempotency-Key: a\n\n{&quot;jobTitle&quot;: &quot;x&lt;y&quot;}|Answer |403|{&quot;error&quot;: {&quot;code&quot;: &quot;FORBIDDEN&quot;}}|\n",
    );
    expect(html).toContain('<b class="refused">403</b>');
    expect(html).not.toContain("---");
  });

  it("names the file that a block is", () => {
    expect(codeBlock("yaml file=acme.yaml", "a: 1 # one\n")).toContain("<code>acme.yaml</code>");
  });

  it("keeps prose and code of a section apart for the search", () => {
    const { sections } = render(
      "# One\n\nA\nline, **bold** `code`.\n\n| a | b |\n|---|---|\n| c | d |\n\n```sh\nls\n```\n",
    );
    expect(sections).toEqual([
      { level: 1, id: "one", heading: "One", prose: "A line, bold code. a b c d ", code: "ls\n\n" },
    ]);
  });
});
