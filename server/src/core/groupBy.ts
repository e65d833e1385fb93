/** Node 20 has no `Map.groupBy`. */
export function groupBy<K, R>(rows: R[], getKey: (row: R) => K) {
  const groups = new Map<K, R[]>()
  for (const row of rows) {
    const group = groups.get(getKey(row))
    if (group) group.push(row)
    else groups.set(getKey(row), [row])
  }
  return groups
}
