import { expect, it } from "@jest/globals";
import { describeServer } from "../support/scene.ts";

describeServer("The guides", (scene) => {
  const fetched = async (path: string) => {
    const response = await fetch(`${scene.server.base}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const chapters = async () => {
    const { text } = await fetched("/docs/guides");
    const navigation = /<nav class="chapters".*?<\/nav>/s.exec(text)?.[0] ?? "";
    return [...navigation.matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, path = ""]) => path);
  };

  it("are an index with the chapters in its order, and a page for each, without a key", async () => {
    const paths = await chapters();
    expect(paths).toContain("/docs/guides/filters");
    expect(new Set(paths).size).toBe(paths.length);
    const { text } = await fetched("/docs/guides");
    const linked = [...text.replace(/<nav.*?<\/nav>/gs, "").matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)];
    expect(paths).toEqual([...new Set(linked.map(([, path = ""]) => path))]);
    for (const path of paths) {
      const { status, headers } = await fetched(path);
      expect({ path, status, type: headers.get("content-type") }).toEqual({
        path,
        status: 200,
        type: "text/html; charset=utf-8",
      });
      expect(headers.get("content-security-policy")).toMatch(
        /^default-src 'self'; img-src 'self' data:; base-uri 'none'/,
      );
    }
  });

  it("give their text to the search under an address that changes with it", async () => {
    const { text } = await fetched("/docs/guides");
    const link = /data-sections="([^"]+)"/.exec(text)?.[1] ?? "";
    expect(link).toMatch(/^\/docs\/guides\/search\.json\?v=[\w-]{12}$/);
    const { headers, text: sections } = await fetched(link);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(JSON.parse(sections)).toContainEqual(
      expect.objectContaining({ href: "/docs/guides/filters#like", heading: "like" }),
    );
  });
});
