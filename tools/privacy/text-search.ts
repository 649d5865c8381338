/** A place of one of the texts that are looked for, counted in signs. */
export interface Hit {
  /** Index of the text among those that are looked for. */
  which: number;
  from: number;
  to: number;
}

/** No code point is larger. */
const SIGNS = 0x110000;

/**
 * Prepares a search for thousands of texts at once, by the algorithm of Aho and Corasick. One pass over a text finds
 * all of them, in a time that grows with its length alone: regular expressions that are made of what people typed have
 * neither property.
 * @param wanted texts as code points
 */
export function textSearch(wanted: readonly Iterable<number>[]): (signs: Int32Array) => Generator<Hit> {
  /** Node and sign → the node behind. The root is 0. */
  const edges = new Map<number, number>();
  const nodes: Node[] = [{ sign: 0, parent: 0, depth: 0, which: -1, fall: 0, nextEnd: 0 }];
  const at = (node: number): Node => nodes[node] as Node;

  function add(signs: Iterable<number>, which: number): void {
    let node = 0;
    for (const sign of signs) {
      let next = edges.get(node * SIGNS + sign);
      if (next === undefined) {
        next = nodes.push({ sign, parent: node, depth: at(node).depth + 1, which: -1, fall: 0, nextEnd: 0 }) - 1;
        edges.set(node * SIGNS + sign, next);
      }
      node = next;
    }
    at(node).which = which;
  }

  function step(from: number, sign: number): number {
    for (let node = from; ; node = at(node).fall) {
      const next = edges.get(node * SIGNS + sign);
      if (next !== undefined) return next;
      if (node === 0) return 0;
    }
  }

  for (const [which, signs] of wanted.entries()) add(signs, which);
  // The fall of a node is shorter than itself, so the shorter nodes come first.
  for (const node of nodes.slice(1).sort((a, b) => a.depth - b.depth)) {
    if (node.depth > 1) node.fall = step(at(node.parent).fall, node.sign);
    node.nextEnd = at(node.fall).which >= 0 ? node.fall : at(node.fall).nextEnd;
  }

  return function* hits(signs) {
    let node = 0;
    for (let i = 0; i < signs.length; i += 1) {
      node = step(node, signs[i] ?? 0);
      for (let end = node; end !== 0; end = at(end).nextEnd) {
        const { which, depth } = at(end);
        if (which >= 0) yield { which, from: i + 1 - depth, to: i + 1 };
      }
    }
  };
}

interface Node {
  sign: number;
  parent: number;
  /** Number of signs from the root. */
  depth: number;
  /** Index of the text that ends here, or -1. */
  which: number;
  /** The node of the longest text that ends as the text of this node does. */
  fall: number;
  /** The nearest node behind `fall` at which a text that is looked for ends; 0 when there is none. */
  nextEnd: number;
}
