type Node = { id: string; parentId: string | null }

/** The space itself and all below it. */
export function spaceAndBelow(spaces: Node[], id: string): Set<string> {
  const children = new Map<string | null, string[]>()
  for (const space of spaces)
    children.set(space.parentId, [...(children.get(space.parentId) ?? []), space.id])
  const found = new Set<string>()
  for (
    let open = [id];
    open.length > 0;
    open = open.flatMap((one) => children.get(one) ?? []).filter((one) => !found.has(one))
  )
    open.forEach((one) => found.add(one))
  return found
}
