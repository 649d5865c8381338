import type { Guide } from "./chapters.ts";
import { INDEX } from "./links.ts";

/** A place that the search finds: a section of a guide, or an operation of the reference. */
interface SearchedSection {
  href: string;
  chapter: string;
  /** Absent for the text before the first section of a chapter, which is found under its title. */
  heading?: string;
  prose: string;
  code: string;
  /** Rank beside the other sections with the same words; 1 when absent. */
  weight?: number;
}

/** The beginning of a chapter says what the chapter is about, and lists its sections. */
const CHAPTER_WEIGHT = 1.6;
/** A guide explains what the reference lists, so it comes first when both have the words. */
const OPERATION_WEIGHT = 0.6;

/**
 * Everything that find.js looks through: every section of every guide, errors included, and every operation.
 * @param document the OpenAPI document, as JSON
 */
export function searchedSections(guides: Guide[], document: string): SearchedSection[] {
  return [...guides.filter(({ name }) => name !== INDEX).flatMap(sectionsOf), ...operationsOf(document)];
}

function sectionsOf({ title, path, sections }: Guide): SearchedSection[] {
  return sections.map(({ level, id, heading, prose, code }) => ({
    href: `${path}#${id}`,
    chapter: title,
    ...(level > 1 && { heading }),
    prose: inOneLine(prose),
    code: inOneLine(code),
    ...(level === 1 && { weight: CHAPTER_WEIGHT }),
  }));
}

/** Parts of the OpenAPI document that the search reads. */
interface Described {
  paths: Record<string, Record<string, { summary: string; description?: string; tags: string[] }>>;
}

function operationsOf(document: string): SearchedSection[] {
  const { paths }: Described = JSON.parse(document);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          summary,
          description = "",
          tags: [tag = ""],
        },
      ]) => ({
        href: `/docs#tag/${tag.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-")}/${method.toUpperCase()}${path}`,
        chapter: "API reference",
        heading: summary,
        prose: inOneLine(description),
        code: `${method.toUpperCase()} ${path}`,
        weight: OPERATION_WEIGHT,
      }),
    ),
  );
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
