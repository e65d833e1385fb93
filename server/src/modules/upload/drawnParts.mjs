/** Maximum depth of references between parts; a deeper chain would overflow the stack of this count and of browsers. */
const maxReferenceDepth = 1000

/**
 * Counts the shapes that a drawing renders. `use`, patterns and masks render what they reference again, so ten short
 * lines may mean ten thousand million shapes. A style sheet adds references to elements by key: `path`, `.wall`,
 * `#door`
 * or `*`.
 */
export function createDrawnParts() {
  const root = { parts: [], references: [], keys: [] }
  const path = [root]
  const partsById = new Map()
  const referencesByKey = new Map()

  function countDrawn(part, depth = 0) {
    if (part.drawn !== undefined) return part.drawn
    if (depth > maxReferenceDepth) return Infinity
    // A part that references itself is rendered once.
    part.drawn = 0
    let sum = 1
    for (const inner of part.parts) sum += countDrawn(inner, depth + 1)
    for (const references of [part.references, ...part.keys.map((key) => referencesByKey.get(key))])
      for (const id of references ?? []) {
        const other = partsById.get(id)
        if (other) sum += countDrawn(other, depth + 1)
      }
    return (part.drawn = sum)
  }

  return {
    open({ id, keys, references }) {
      const part = { parts: [], references, keys: ['*', ...keys] }
      if (id && !partsById.has(id)) partsById.set(id, part)
      path.at(-1).parts.push(part)
      path.push(part)
    },
    close() {
      path.pop()
    },
    addStyleReferences(key, references) {
      const known = referencesByKey.get(key) ?? new Set()
      for (const reference of references) known.add(reference)
      referencesByKey.set(key, known)
    },
    count: () => countDrawn(root),
  }
}
