type Part = { parts: Part[]; names: string[]; drawn?: number }

/** Elements, each counted as often as it is drawn; more than this keeps a browser busy for long. */
const most = 500_000
const deepest = 1000
/** What names a part of the drawing; a browser decodes `%`, and finds what is written otherwise. */
export const partNamed = /url\(\s*["']?#([^"'()%\s]+)["']?\s*\)/gi

/**
 * Counts what a drawing draws: `use`, patterns and masks draw again what they name, so ten short lines may mean ten
 * thousand million shapes.
 */
export function drawnParts() {
  const root: Part = { parts: [], names: [] }
  const open = [root]
  const named = new Map<string, Part>()

  function drawn(part: Part, depth = 0): number {
    if (part.drawn !== undefined) return part.drawn
    if (depth > deepest) return Infinity
    // What names itself is drawn once.
    part.drawn = 0
    let sum = 1
    for (const inner of part.parts) sum += drawn(inner, depth + 1)
    for (const name of part.names) {
      const other = named.get(name)
      if (other) sum += drawn(other, depth + 1)
    }
    return (part.drawn = sum)
  }

  return {
    open() {
      const part = { parts: [], names: [] }
      open.at(-1)!.parts.push(part)
      open.push(part)
    },
    close() {
      open.pop()
    },
    /** What the element that was opened last is called and names. */
    looks({ id, ...look }: Record<string, string>) {
      const part = open.at(-1)!
      if (id && !named.has(id)) named.set(id, part)
      for (const value of Object.values(look))
        for (const [, name] of [...value.matchAll(/^#([\w-]+)$/g), ...value.matchAll(partNamed)])
          part.names.push(name!)
    },
    isTooMuch: () => drawn(root) > most,
  }
}
