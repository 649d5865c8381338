import { assetsAt, ofPackage, onDisk } from "./assets.ts";

const HERE = import.meta.dirname;

const FILES = {
  // Only the ready-made bundle of Scalar in this package is used, and none of its code for Fastify. The package of the
  // bundle itself, @scalar/api-reference, installs 272 packages with 287 MB; this one adds 20 to ours, and its whole
  // tree has 27 MB. Stay with 1.60.0: in later versions (seen in 1.62.9 and 1.72.1) the bundle is not a file of its
  // own.
  "scalar.js": ofPackage("@scalar/fastify-api-reference", "js", "standalone.js"),
  "no-eval.js": onDisk(HERE, "no-eval.js"),
  "reference.js": onDisk(HERE, "reference.js"),
  "reference-mends.js": onDisk(HERE, "reference-mends.js"),
  "reference.css": onDisk(HERE, "reference.css"),
  "minisearch.js": ofPackage("minisearch", "..", "es", "index.js"),
  "find.js": onDisk(HERE, "guides", "find.js"),
  "search.js": onDisk(HERE, "guides", "search.js"),
  "search.css": onDisk(HERE, "guides", "search.css"),
  "request-code.js": onDisk(HERE, "guides", "request-code.js"),
  "guides.js": onDisk(HERE, "guides", "guides.js"),
  "guides.css": onDisk(HERE, "guides", "guides.css"),
  "code.css": onDisk(HERE, "guides", "code.css"),
  "tables.css": onDisk(HERE, "guides", "tables.css"),
  "top.css": onDisk(HERE, "top.css"),
  "page.css": onDisk(HERE, "page.css"),
};

/** The scripts and style sheets of the documentation. */
export const docsFiles = assetsAt("/docs/assets", FILES);
